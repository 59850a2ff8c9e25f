import type { ContentItem } from '@autoposter/contracts';
import { sourceName } from '../../ui/format';
import { isPosted } from './item-facts';

export interface ItemFilter {
  search: string;
  subreddit: string;
  type: string;
  posted: string;
}

const haystacks = new WeakMap<ContentItem, string>();

/** What is searched of an item, in lower case; made once per item. */
function haystack(item: ContentItem): string {
  const known = haystacks.get(item);
  if (known !== undefined) return known;
  const text = [item.title, item.author, item.subreddit, item.aiContent?.caption, ...(item.aiContent?.hashtags ?? [])]
    .join('\n')
    .toLowerCase();
  haystacks.set(item, text);
  return text;
}

/** Items that have all words of the search and meet every filter that is set. */
export function filterItems(items: readonly ContentItem[], { search, subreddit, type, posted }: ItemFilter): readonly ContentItem[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0 && subreddit === '' && type === '' && posted === '') return items;
  return items.filter(
    (item) =>
      (subreddit === '' || sourceName(item) === subreddit) &&
      (type === '' || item.mediaType === type) &&
      (posted === '' || isPosted(item) === (posted === 'yes')) &&
      words.every((word) => haystack(item).includes(word)),
  );
}

/** The sources that occur, in alphabetical order. */
export const sourcesOf = (items: readonly ContentItem[]): string[] =>
  [...new Set(items.map(sourceName))].sort((a, b) => a.localeCompare(b));
