import { api, type ContentItem } from '@autoposter/contracts';
import { useState } from 'react';
import { changeMany, type ManyChange } from '../../app/bulk/change-many';
import { AFTER_DISCARD, AFTER_ENQUEUE, useContentCalls } from '../../data/content/use-content';
import { errorText } from '../../data/http/client';
import { keys } from '../../data/http/cache';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { notify } from '../../ui/notifications';

const captionOf = (item: ContentItem) => item.aiContent?.caption ?? '';

/** Adds to the queue, discards and posts; tells what came of it, and how it is taken back. */
export function useChangeItems() {
  const { enqueue, discard, invalidate } = useContentCalls();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const during = async (items: readonly ContentItem[], work: Promise<void>): Promise<void> => {
    const ids = items.map((item) => item.id);
    setBusy((before) => new Set([...before, ...ids]));
    await work;
    setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
  };
  const run = async (items: readonly ContentItem[], change: ManyChange<ContentItem>): Promise<void> => {
    await during(items, changeMany(items, change));
    // The list itself is right already: what was changed has left it.
    invalidate(change.refresh.filter((root) => root !== keys.completed));
  };

  return {
    busy,
    add: (items: readonly ContentItem[]) =>
      run(items, {
        title: TEXT.adding,
        one: async (item) => {
          const { _id } = await enqueue({ id: item.id, caption: captionOf(item), postImmediately: false });
          return [{ route: api.instagramQueue.remove, params: { id: _id } }];
        },
        done: TEXT.added,
        failed: TEXT.addFailed,
        refresh: AFTER_ENQUEUE,
      }),
    discard: (items: readonly ContentItem[]) =>
      run(items, {
        title: TEXT.discarding,
        one: async (item) => {
          await discard(item.id);
          return [{ route: api.content.restore, params: { id: item.id } }];
        },
        done: TEXT.discarded,
        failed: TEXT.discardFailed,
        refresh: AFTER_DISCARD,
      }),
    post: (item: ContentItem) =>
      during(
        [item],
        enqueue({ id: item.id, caption: captionOf(item), postImmediately: true }).then(
          () => {
            notify.success(TEXT.posting);
            invalidate(AFTER_ENQUEUE);
          },
          (error: unknown) => notify.failure(TEXT.addFailed(errorText(error))),
        ),
      ),
  };
}
