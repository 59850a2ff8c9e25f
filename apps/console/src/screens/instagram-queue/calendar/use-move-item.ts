import type { QueueItem } from '@autoposter/contracts';
import { type KeyboardEvent, type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';
import { serverNow } from '../../../store/clock';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { notify } from '../../../ui/notifications';
import { type QueueActions, titleOf } from '../use-queue-actions';
import { DAY_MINUTES, longDay, slotText } from './calendar-days';
import { afterKeyPress, dropOnDay, dropOnMinute, type QueueRules, startOfMove, immovableReason, refusalAt } from './move-rules';
import { trackDrag } from './pointer-drag';

interface DraggedItem {
  item: QueueItem;
  view: 'week' | 'month';
  rules: QueueRules;
}

/** The time under the pointer; `top` is the top edge of the dragged item. `null` outside the calendar. */
function timeAtPoint(x: number, top: number, y: number, { item, view, rules }: DraggedItem): Date | null {
  const cell = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>('[data-day]'))
    .find((found) => found !== null);
  const day = cell?.dataset['day'];
  if (cell === undefined || day === undefined) return null;
  if (view === 'month') return dropOnDay(item, day, rules);
  const frame = cell.getBoundingClientRect();
  return dropOnMinute(day, ((top - frame.top) / frame.height) * DAY_MINUTES, rules);
}

const TEXT = QUEUE_TEXT.move;

export interface MoveDraft {
  item: QueueItem;
  at: Date;
  by: 'keys' | 'pointer';
  refusal: string | null;
}

export interface Movement {
  draft: MoveDraft | null;
  announcement: string;
  pickUp: (item: QueueItem) => void;
  /** For the calendar frame, which has the focus during a keyboard move. */
  onKeyDown: (event: KeyboardEvent) => void;
  press: (item: QueueItem, event: ReactPointerEvent) => void;
  /** Whether to ignore the click event that follows a drag. */
  wasDragged: () => boolean;
}

interface MovementOptions {
  view: 'week' | 'month';
  rules: QueueRules;
  actions: QueueActions;
  /** Scrolls or navigates to a time. */
  show: (at: Date) => void;
  frame: { current: HTMLElement | null };
}

/** Moves a post by keyboard or pointer; only the drop sends a request. */
export function useMoveItem({ view, rules, actions, show, frame }: MovementOptions): Movement {
  const [draft, setDraft] = useState<MoveDraft | null>(null);
  const [announcement, announce] = useState('');
  const dragging = useRef(false);
  const refocus = useRef<string | null>(null);
  const slotOf = (at: Date) => slotText(at, rules.timeZone, longDay);
  const draftAt = (item: QueueItem, at: Date, by: MoveDraft['by']): MoveDraft => ({
    item,
    at,
    by,
    refusal: refusalAt(at, rules, serverNow()),
  });

  // The moved post is a new element, after the drop and again after the response. It keeps the focus until the user moves it elsewhere.
  useEffect(() => {
    if (draft !== null || refocus.current === null) return;
    const { activeElement } = document;
    if (activeElement !== frame.current && activeElement !== document.body && activeElement !== null) return;
    frame.current?.querySelector<HTMLElement>(`[data-queue-item="${refocus.current}"]`)?.focus();
  });

  const refuse = (reason: string) => {
    announce(reason);
    notify.failure(reason);
  };
  const drop = ({ item, at, refusal }: MoveDraft) => {
    setDraft(null);
    if (refusal !== null) return refuse(refusal);
    if (at.toISOString() === item.scheduling.scheduledFor) return announce(TEXT.left(titleOf(item)));
    announce(TEXT.dropped(titleOf(item), slotOf(at)));
    void actions.move(item, at);
  };

  return {
    draft,
    announcement,
    wasDragged: () => dragging.current,
    pickUp: (item) => {
      const fixed = immovableReason(item);
      if (fixed !== null) return refuse(fixed);
      const next = draftAt(item, startOfMove(item, serverNow()), 'keys');
      setDraft(next);
      announce(TEXT.grabbed(titleOf(item), slotOf(next.at)));
      show(next.at);
      frame.current?.focus({ preventScroll: true });
    },
    onKeyDown: (event) => {
      if (draft?.by !== 'keys') {
        refocus.current = null;
        return;
      }
      const { item } = draft;
      const at = afterKeyPress(draft.at, event.key, view, rules);
      const ends = event.key === 'Enter' || event.key === ' ' || event.key === 'Escape' || event.key === 'Tab';
      if (at === null && !ends) return;
      if (event.key !== 'Tab') event.preventDefault();
      event.stopPropagation();
      if (at !== null) {
        const next = draftAt(item, at, 'keys');
        setDraft(next);
        announce(next.refusal === null ? slotOf(at) : `${slotOf(at)}. ${next.refusal}`);
        return show(at);
      }
      refocus.current = item._id;
      if (event.key === 'Enter' || event.key === ' ') return drop(draft);
      setDraft(null);
      announce(TEXT.left(titleOf(item)));
    },
    press: (item, event) => {
      dragging.current = false;
      refocus.current = null;
      if (event.button !== 0 || event.pointerType === 'touch') return;
      const fixed = immovableReason(item);
      let last: MoveDraft | null = null;
      trackDrag(event, frame.current?.querySelector('[data-scrolls]') ?? null, {
        move: (x, y, top) => {
          dragging.current = true;
          if (fixed !== null) return;
          const at = timeAtPoint(x, top, y, { item, view, rules });
          // The pointer reports every pixel; most map to the same time.
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
