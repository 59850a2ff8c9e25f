import { DOWNLOAD_STATUSES, LIMITS, type Download, type DownloadStatus } from '@autoposter/contracts';

export const asStatus = (text: string): DownloadStatus | null => DOWNLOAD_STATUSES.find((status) => status === text) ?? null;

/** Whether it may be tried again by hand. */
export const canRetry = (item: Download): boolean =>
  item.status === 'failed' && item.retryCount < (item.maxRetries ?? LIMITS.retries.maxByHand);

const textOf = (item: Download): string =>
  [item.title, item.author, item.subreddit, item.originalUrl, item.fileInfo?.fileName].join('\n').toLowerCase();

/** Downloads of a status that have all words of the search. */
export function filterDownloads(items: readonly Download[], status: DownloadStatus | null, search: string): readonly Download[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  const ofStatus = status === null ? items : items.filter((item) => item.status === status);
  return words.length === 0 ? ofStatus : ofStatus.filter((item) => words.every((word) => textOf(item).includes(word)));
}
