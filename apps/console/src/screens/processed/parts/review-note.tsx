import { LIMITS, type ContentItem } from '@autoposter/contracts';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { MessageBar } from '../../../ui/message-bar';
import { useItemActions } from '../item-actions';
import { isPosted } from '../item-facts';

/** What a person is asked to look at before this is queued, what was cut away, and what Instagram could not fetch; nothing for what is posted already. */
export function ReviewNote({ item }: { item: ContentItem }) {
  const { outOfReach } = useItemActions();
  if (item.sourceRemovedAt) return <MessageBar tone="red">{TEXT.removedAtSource(isPosted(item))}</MessageBar>;
  if (isPosted(item)) return null;
  const reasons = [...(item.needsReview === true ? (item.reviewReasons ?? []) : []), ...(item.aiContent?.violations ?? [])];
  const before = item.trimmedFromSeconds ?? null;
  const unreachable = outOfReach(item);
  const leftOut = item.filesLeftOut ?? 0;
  return (
    <>
      {item.lastError ? <MessageBar tone="orange">{TEXT.regenerationFailed(item.lastError.message)}</MessageBar> : null}
      {reasons.length === 0 ? null : <MessageBar tone="orange">{TEXT.review([...new Set(reasons)])}</MessageBar>}
      {before === null ? null : <MessageBar tone="blue">{TEXT.trimmed(Math.round(before), LIMITS.reels.maxSeconds)}</MessageBar>}
      {leftOut === 0 ? null : <MessageBar tone="blue">{TEXT.leftOut(leftOut)}</MessageBar>}
      {unreachable === null ? null : <MessageBar tone="orange">{unreachable}</MessageBar>}
    </>
  );
}
