import type { SkippedPost } from '@autoposter/contracts';

type Column = readonly [name: string, value: (post: SkippedPost) => string | number | null];

const COLUMNS: readonly Column[] = [
  ['Title', ({ redditData }) => redditData.title],
  ['URL', ({ originalUrl }) => originalUrl],
  ['Author', ({ redditData }) => redditData.author],
  ['Post type', ({ redditData }) => redditData.postType],
  ['Subreddit', ({ redditData }) => redditData.subreddit],
  ['Additional info', ({ skipDetails }) => skipDetails.additionalInfo],
  ['Error message', ({ skipDetails }) => skipDetails.errorMessage],
  ['Skipped at', ({ skippedAt }) => skippedAt],
  ['Posted at', ({ redditData }) => redditData.created],
  ['Post age (hours)', ({ postAgeHours }) => postAgeHours],
  ['Score', ({ redditData }) => redditData.score],
];

/** One cell. A text that a table program would take for a formula gets a mark in front that makes it text. */
const cell = (value: string | number | null): string => {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/u.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The posts as a table, with a reason in words; the mark in front makes table programs read it as UTF-8. */
export function skippedCsv(posts: readonly SkippedPost[], label: (reason: string) => string): string {
  const lines = posts.map((post) => [cell(label(post.skipReason)), ...COLUMNS.map(([, value]) => cell(value(post)))].join(','));
  return `\uFEFF${['Skip reason', ...COLUMNS.map(([name]) => name)].join(',')}\r\n${lines.map((line) => `${line}\r\n`).join('')}`;
}
