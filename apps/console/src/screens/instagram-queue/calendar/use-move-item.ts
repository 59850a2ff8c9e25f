import type { QueueItem } from '@autoposter/contracts';
import { type KeyboardEvent, type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { notify } from '../../../ui/notifications';
import { type QueueActions, titleOf } from '../use-queue-actions';
import { DAY_MINUTES, longDay, placeText } from './calendar-days';
import { afterKey, onDay, onMinute, type QueueRules, startOfMove, whyFixed, whyNotAt } from './move-rules';
import { followDrag } from './pointer-drag';

interface Held {
  item: QueueItem;
  view: 'week' | 'month';
  rules: QueueRules;
}

/** The time under the pointer: `top` is where the upper edge of what is held lies; `null` beside the calendar. */
function placeUnder(x: number, top: number, y: number, { item, view, rules }: Held): Date | null {
  const cell = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>('[data-day]'))
    .find((found) => found !== null);
  const day = cell?.dataset['day'];
  if (cell === undefined || day === undefined) return null;
  if (view === 'month') return onDay(item, day, rules);
  const frame = cell.getBoundingClientRect();
  return onMinute(day, ((top - frame.top) / frame.height) * DAY_MINUTES, rules);
}

const TEXT = QUEUE_TEXT.move;

export interface Draft {
  item: QueueItem;
  at: Date;
  by: 'keys' | 'pointer';
  /** Why it cannot be put there. */
  refusal: string | null;
}

export interface Mover {
  draft: Draft | null;
  /** What is read out. */
  said: string;
  grab: (item: QueueItem) => void;
  /** For the frame of the calendar, which has the focus during a move by keyboard. */
  onKeyDown: (event: KeyboardEvent) => void;
  press: (item: QueueItem, event: ReactPointerEvent) => void;
  /** Whether the click that follows a drag is no click. */
  dragged: () => boolean;
}

interface MoverInput {
  view: 'week' | 'month';
  rules: QueueRules;
  actions: QueueActions;
  /** Brings a time into view. */
  show: (at: Date) => void;
  frame: { current: HTMLElement | null };
}

/** Moves a post by keyboard or pointer: first a draft, then one change. */
export function useMover({ view, rules, actions, show, frame }: MoverInput): Mover {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [said, setSaid] = useState('');
  const dragging = useRef(false);
  const refocus = useRef<string | null>(null);
  const place = (at: Date) => placeText(at, rules.timeZone, longDay);
  const draftAt = (item: QueueItem, at: Date, by: Draft['by']): Draft => ({ item, at, by, refusal: whyNotAt(at, rules, Date.now()) });

  // The post is drawn anew in its new place, now and when the server has answered; the focus goes with it until somebody does something else.
  useEffect(() => {
    if (draft !== null || refocus.current === null) return;
    const { activeElement } = document;
    if (activeElement !== frame.current && activeElement !== document.body && activeElement !== null) return;
    frame.current?.querySelector<HTMLElement>(`[data-queue-item="${refocus.current}"]`)?.focus();
  });

  const refuse = (reason: string) => {
    setSaid(reason);
    notify.failure(reason);
  };
  const drop = ({ item, at, refusal }: Draft) => {
    setDraft(null);
    if (refusal !== null) return refuse(refusal);
    if (at.toISOString() === item.scheduling.scheduledFor) return setSaid(TEXT.left(titleOf(item)));
    setSaid(TEXT.dropped(titleOf(item), place(at)));
    void actions.move(item, at);
  };

  return {
    draft,
    said,
    dragged: () => dragging.current,
    grab: (item) => {
      const fixed = whyFixed(item);
      if (fixed !== null) return refuse(fixed);
      const next = draftAt(item, startOfMove(item, Date.now()), 'keys');
      setDraft(next);
      setSaid(TEXT.grabbed(titleOf(item), place(next.at)));
      show(next.at);
      frame.current?.focus({ preventScroll: true });
    },
    onKeyDown: (event) => {
      if (draft?.by !== 'keys') {
        refocus.current = null;
        return;
      }
      const { item } = draft;
      const at = afterKey(draft.at, event.key, view, rules);
      const ends = event.key === 'Enter' || event.key === ' ' || event.key === 'Escape' || event.key === 'Tab';
      if (at === null && !ends) return;
      if (event.key !== 'Tab') event.preventDefault();
      event.stopPropagation();
      if (at !== null) {
        const next = draftAt(item, at, 'keys');
        setDraft(next);
        setSaid(next.refusal === null ? place(at) : `${place(at)}. ${next.refusal}`);
        return show(at);
      }
      refocus.current = item._id;
      if (event.key === 'Enter' || event.key === ' ') return drop(draft);
      setDraft(null);
      setSaid(TEXT.left(titleOf(item)));
    },
    press: (item, event) => {
      dragging.current = false;
      refocus.current = null;
      if (event.button !== 0 || event.pointerType === 'touch') return;
      const fixed = whyFixed(item);
      let last: Draft | null = null;
      followDrag(event, frame.current?.querySelector('[data-scrolls]') ?? null, {
        move: (x, y, top) => {
          dragging.current = true;
          if (fixed !== null) return;
          const at = placeUnder(x, top, y, { item, view, rules });
          // A pointer tells of every pixel; most of them are the same place.
          if (at?.getTime() === last?.at.getTime()) return;
          last = at === null ? null : draftAt(item, at, 'pointer');
          setDraft(last);
        },
        end: (dropped) => {
          if (dropped && fixed !== null) refuse(fixed);
          else if (dropped && last !== null) drop(last);
          else setDraft(null);
        },
      });
    },
  };
}
