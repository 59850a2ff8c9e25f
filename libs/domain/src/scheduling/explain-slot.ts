import type { SlotReason } from './next-slot';

const MINUTE_MS = 60_000;

/** The reason of a slot in one sentence: what set it, the random delay, the blocked hours. */
export function explainSlot({ basis, delayMs, blockedMs }: SlotReason, intervalMinutes: number): string {
  if (basis === 'pinned') return 'A person chose this time.';
  if (basis === 'kept') return 'It was given this time earlier, and it still fits.';
  const start = basis === 'now' ? 'Nothing stands before it' : `${intervalMinutes} minutes after the post before it`;
  const delay = delayMs > 0 ? `, plus ${duration(delayMs)} at random` : '';
  const blocked = blockedMs > 0 ? `, moved by ${duration(blockedMs)} out of the blocked hours` : '';
  return `${start}${delay}${blocked}.`;
}

function duration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes === 0) return 'less than a minute';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [
    ...(hours > 0 ? [`${hours} ${hours === 1 ? 'hour' : 'hours'}`] : []),
    ...(rest > 0 ? [`${rest} ${rest === 1 ? 'minute' : 'minutes'}`] : []),
  ];
  return words.join(' ');
}
