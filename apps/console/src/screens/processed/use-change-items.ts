import { api, type ContentItem } from '@autoposter/contracts';
import { useState } from 'react';
import { AFTER_DISCARD, AFTER_ENQUEUE, useDiscard, useEnqueue } from '../../data/completed/use-change-completed';
import { errorText } from '../../data/http/client';
import { startRun } from '../../data/runs/run-store';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { plural } from '../../ui/format';
import type { Undo } from '../../data/undo/undo';
import { notify } from '../../ui/notices/notice-store';
import { inTurn } from './item-actions';

/** Calls in flight while many items are changed. */
const ABREAST = 2;
/** From here on the bar at the bottom tells how far it is. */
const LONG_FROM = 6;

interface Change {
  title: string;
  /** Makes the change and answers the call that takes it back. */
  one: (item: ContentItem) => Promise<Undo['steps'][number]>;
  done: (items: number) => string;
  failed: (message: string) => string;
  refresh: Undo['refresh'];
}

const captionOf = (item: ContentItem) => item.aiContent?.caption ?? '';

/** Adds to the queue, discards and posts; tells what came of it, and how it is taken back. */
export function useChangeItems() {
  const enqueue = useEnqueue();
  const discardOne = useDiscard();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const run = async (items: readonly ContentItem[], change: Change): Promise<void> => {
    const ids = items.map((item) => item.id);
    setBusy((before) => new Set([...before, ...ids]));
    const bar = items.length >= LONG_FROM ? startRun({ title: change.title, total: items.length, cancel: () => undefined }) : null;
    const steps: Undo['steps'][number][] = [];
    const failures = new Map<string, number>();
    let ended = 0;
    await inTurn(items, ABREAST, async (item) => {
      if (bar?.cancelled() === true) return;
      await change.one(item).then(
        (step) => steps.push(step),
        (error: unknown) => failures.set(errorText(error), (failures.get(errorText(error)) ?? 0) + 1),
      );
      ended += 1;
      bar?.progress({ done: ended, failed: ended - steps.length });
    });
    bar?.end();
    setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
    if (steps.length > 0) notify.undoable(change.done(steps.length), { steps, refresh: change.refresh });
    for (const [message, times] of failures) notify.failure(change.failed(times > 1 ? `${message} (${plural(times, 'post')})` : message));
  };

  return {
    busy,
    add: (items: readonly ContentItem[]) =>
      run(items, {
        title: TEXT.adding,
        one: async (item) => {
          const { data } = await enqueue.mutateAsync({ id: item.id, caption: captionOf(item), postImmediately: false });
          return { route: plain(api.instagramQueue.remove), params: { id: data._id } };
        },
        done: TEXT.added,
        failed: TEXT.addFailed,
        refresh: AFTER_ENQUEUE,
      }),
    discard: (items: readonly ContentItem[]) =>
      run(items, {
        title: TEXT.discarding,
        one: async (item) => {
          await discardOne.mutateAsync(item.id);
          return { route: plain(api.content.restore), params: { id: item.id } };
        },
        done: TEXT.discarded,
        failed: TEXT.discardFailed,
        refresh: AFTER_DISCARD,
      }),
    post: async (item: ContentItem) => {
      setBusy((before) => new Set([...before, item.id]));
      await enqueue.mutateAsync({ id: item.id, caption: captionOf(item), postImmediately: true }).then(
        () => notify.success(TEXT.posting),
        (error: unknown) => notify.failure(TEXT.addFailed(errorText(error))),
      );
      setBusy((before) => new Set([...before].filter((id) => id !== item.id)));
    },
  };
}

/** A way back is kept as text over a reload; a call is its method and path. */
const plain = ({ method, path }: Undo['steps'][number]['route']) => ({ method, path });
