import { LIMITS } from '@autoposter/contracts';
import type { Caption, ContentItem } from '@autoposter/persistence';

const hashtag = (tag: string): string => `#${tag.replace(/^#+/u, '')}`;

/** The text that goes out: caption, credit of the author, hashtags. What the caption says already is not said twice. */
export function composeCaption(
  item: Pick<ContentItem, 'author' | 'subreddit' | 'platform'>,
  caption: Pick<Caption, 'caption' | 'hashtags'>,
): string {
  const text = caption.caption.trim();
  const lower = text.toLowerCase();
  const credit = creditOf(item);
  const tags = caption.hashtags.map(hashtag).filter((tag) => tag.length > 1 && !lower.includes(tag.toLowerCase()));
  const parts = [
    text,
    credit !== null && !lower.includes(credit.toLowerCase()) ? credit : '',
    tags.slice(0, LIMITS.caption.maxHashtags).join(' '),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function creditOf({ author, subreddit, platform }: Pick<ContentItem, 'author' | 'subreddit' | 'platform'>): string | null {
  if (author === null || author === '' || author === '[deleted]') return null;
  if (platform === 'instagram') return `Credit: @${author}`;
  return subreddit === null ? `Credit: u/${author} on Reddit` : `Credit: u/${author} on r/${subreddit}`;
}

/** What Instagram would refuse about a composed text, as sentences; empty where it is fine. Characters are counted as Instagram does, by code point. */
export function captionProblems(text: string): string[] {
  const problems: string[] = [];
  const { maxCharacters, maxHashtags, maxMentions } = LIMITS.caption;
  const characters = [...text].length;
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  if (text.trim() === '') problems.push('The caption is empty.');
  if (characters > maxCharacters)
    problems.push(`With credit and hashtags the caption has ${characters} characters; at most ${maxCharacters} are allowed.`);
  if (count(/(?<![\p{L}\p{N}&])#[\p{L}\p{N}_]+/gu) > maxHashtags) problems.push(`The caption has more than ${maxHashtags} hashtags.`);
  if (count(/(?<![\p{L}\p{N}.])@[\w.]+/gu) > maxMentions) problems.push(`The caption has more than ${maxMentions} mentions.`);
  return problems;
}
