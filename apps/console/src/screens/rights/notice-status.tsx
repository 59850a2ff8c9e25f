import type { Notice } from '@autoposter/contracts';
import { NOTICES_TEXT as TEXT } from '../../text/takedown.text';
import { formatDateTime } from '../../ui/format';
import { StatusPill } from '../../ui/status';

const TONES = { received: 'blue', incomplete: 'orange', acting: 'orange', answered: 'green', countered: 'orange' } as const;

export function NoticeStatusPill({ status }: Pick<Notice, 'status'>) {
  return <StatusPill status={status} tone={status in TONES ? TONES[status as keyof typeof TONES] : 'grey'} label={TEXT.statuses[status]} />;
}

/** What has to happen next, with its date. */
export const nextDeadline = ({ status, answeredAt, answerBy, removeBy, restoreFrom, restoreBy, closedAt }: Notice): string | null => {
  if (closedAt !== null) return null;
  if (restoreFrom !== null && restoreBy !== null) return TEXT.window(formatDateTime(restoreFrom), formatDateTime(restoreBy));
  if (answeredAt !== null) return TEXT.answeredAt(formatDateTime(answeredAt));
  const answer = TEXT.answerBy(formatDateTime(answerBy));
  return status === 'acting' ? `${TEXT.removeBy(formatDateTime(removeBy))} · ${answer}` : answer;
};
