import type { ContentItem } from '@autoposter/contracts';
import { PROCESSED_TEXT } from '../../../text/processed.text';
import { MessageBar } from '../../../ui/message-bar';
import { isPosted } from '../item-facts';

/** What a person is asked to look at before this is queued; nothing for what is posted already. */
export function ReviewNote({ item }: { item: ContentItem }) {
  const reasons = [...(item.needsReview === true ? (item.reviewReasons ?? []) : []), ...(item.aiContent?.violations ?? [])];
  if (reasons.length === 0 || isPosted(item)) return null;
  return <MessageBar tone="orange">{PROCESSED_TEXT.review([...new Set(reasons)])}</MessageBar>;
}
