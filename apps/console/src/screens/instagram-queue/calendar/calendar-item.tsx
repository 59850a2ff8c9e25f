import { mdiAlertOutline, mdiCancel, mdiCheck, mdiCircleHalf, mdiClockOutline, mdiTimelapse } from '@mdi/js';
import type { QueueItem, QueueStatus } from '@autoposter/contracts';
import type { CSSProperties } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { Icon } from '../../../ui/icons';
import { Box, ButtonBase, Span } from '../../../ui/mui';
import { toneOf } from '../../../ui/status';
import { titleOf } from '../use-queue-actions';
import { clockText, minuteOf, slotText, shortDay } from './calendar-days';
import { immovableReason } from './move-rules';
import type { MoveDraft, Movement } from './use-move-item';

const TEXT = QUEUE_TEXT.calendar;
/** Pixels; the minimum target size of WCAG 2.5.8 is 24. */
export const ITEM_HEIGHT = 26;

const ICONS: Record<QueueStatus, string> = {
  pending: mdiTimelapse,
  scheduled: mdiClockOutline,
  posting: mdiCircleHalf,
  posted: mdiCheck,
  failed: mdiAlertOutline,
  cancelled: mdiCancel,
};

export interface CalendarContext {
  timeZone: string;
  movement: Movement;
  onOpen: (item: QueueItem) => void;
  hintId: string;
}

const timeOf = (item: QueueItem, timeZone: string): string =>
  item.scheduling.scheduledFor === null ? TEXT.noTime : clockText(minuteOf(new Date(item.scheduling.scheduledFor), timeZone));

/** A post in the calendar. A click opens it, Space picks it up, and it can be dragged. */
export function CalendarItem({ item, context, style }: { item: QueueItem; context: CalendarContext; style?: CSSProperties }) {
  const { timeZone, movement, onOpen, hintId } = context;
  const tone = toneOf(item.status);
  const held = movement.draft?.item._id === item._id;
  const time = timeOf(item, timeZone);
  return (
    <ButtonBase
      data-queue-item={item._id}
      aria-label={TEXT.chip(time, titleOf(item), item.status)}
      aria-describedby={hintId}
      style={style}
      onClick={() => (movement.wasDragged() ? undefined : onOpen(item))}
      onPointerDown={(event) => movement.press(item, event)}
      onDragStart={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        movement.pickUp(item);
      }}
      sx={{
        display: 'flex',
        justifyContent: 'flex-start',
        gap: 1,
        width: 1,
        height: ITEM_HEIGHT,
        px: 1.5,
        borderRadius: 1.5,
        fontSize: 12,
        fontWeight: 540,
        overflow: 'hidden',
        whiteSpace: 'nowrap',
        textAlign: 'left',
        color: `status.${tone}.text`,
        bgcolor: `status.${tone}.tint`,
        opacity: held ? 0.45 : 1,
        cursor: immovableReason(item) === null ? 'grab' : 'pointer',
        userSelect: 'none',
        transition: 'box-shadow 120ms',
        '&:hover': { boxShadow: (theme) => `inset 0 0 0 1px ${theme.vars?.palette.status[tone].dot ?? ''}` },
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 1, zIndex: 3 },
      }}
    >
      <Icon path={ICONS[item.status]} sx={{ fontSize: 14, flexShrink: 0 }} />
      <Span sx={{ flexShrink: 0 }}>{time}</Span>{' '}
      <Span sx={{ overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0 }}>{titleOf(item)}</Span>
    </ButtonBase>
  );
}

interface DropPreviewProps {
  draft: MoveDraft;
  timeZone: string;
  /** Shows the time in addition to a refusal; for views in which the position does not show it. */
  whole?: boolean;
}

/** The new time of the post being moved, or why it is refused. */
export function DropPreview({ draft: { at, refusal }, timeZone, whole = false }: DropPreviewProps) {
  const tone = refusal === null ? null : 'red';
  const place = slotText(at, timeZone, shortDay);
  return (
    <Box
      aria-hidden
      data-drop-preview={refusal === null ? 'free' : 'refused'}
      sx={{
        minHeight: ITEM_HEIGHT,
        px: 1.5,
        py: 0.75,
        borderRadius: 1.5,
        border: 2,
        borderStyle: 'dashed',
        borderColor: tone === null ? 'primary.main' : `status.${tone}.dot`,
        color: tone === null ? 'accent.text' : `status.${tone}.text`,
        bgcolor: tone === null ? 'accent.tint' : `status.${tone}.tint`,
        fontSize: 12,
        fontWeight: 600,
        lineHeight: 1.25,
        pointerEvents: 'none',
        overflowWrap: 'anywhere',
        zIndex: 4,
      }}
    >
      {refusal === null ? place : whole ? `${place}. ${refusal}` : refusal}
    </Box>
  );
}
