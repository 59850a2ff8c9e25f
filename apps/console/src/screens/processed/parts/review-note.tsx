import { LIMITS, type ContentItem } from '@autoposter/contracts';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { MessageBar } from '../../../ui/message-bar';
import { isPosted } from '../item-facts';

/** What a person is asked to look at before this is queued, and what was cut away; nothing for what is posted already. */
export function ReviewNote({ item }: { item: ContentItem }) {
  if (isPosted(item)) return null;
  const reasons = [...(item.needsReview === true ? (item.reviewReasons ?? []) : []), ...(item.aiContent?.violations ?? [])];
  const before = item.trimmedFromSeconds ?? null;
  return (
    <>
      {reasons.length === 0 ? null : <MessageBar tone="orange">{TEXT.review([...new Set(reasons)])}</MessageBar>}
      {before === null ? null : <MessageBar tone="blue">{TEXT.trimmed(Math.round(before), LIMITS.reels.maxSeconds)}</MessageBar>}
    </>
  );
}
