import { randomUUID } from 'node:crypto';
import type { ContentItem, MediaFile, NewItem, NewMediaFile, NewSubreddit, Subreddit, UnitOfWork } from '@autoposter/persistence';
import { DEFAULT_SUBREDDIT_FILTERS } from '@autoposter/contracts';

/** Fields of a new Reddit video. */
export const itemFields = (overrides: Partial<ContentItem> = {}): NewItem => {
  const sourceId = randomUUID().slice(0, 8);
  return {
    platform: 'reddit',
    sourceId,
    originalUrl: `https://www.reddit.com/r/aww/comments/${sourceId}/`,
    title: 'A fox in the snow',
    author: 'fox_watcher',
    subreddit: 'aww',
    postType: 'video',
    mediaType: 'video',
    autoProcessStage: 'dmcaProtection',
    ...overrides,
  };
};

export async function anItem(uow: UnitOfWork, overrides: Partial<ContentItem> = {}): Promise<ContentItem> {
  const [item] = await uow.items.createMany([itemFields(overrides)]);
  if (item === undefined) throw new Error('the item already exists');
  return item;
}

export const fileFields = (overrides: Partial<MediaFile> = {}): NewMediaFile => ({
  mediaType: 'video',
  objectKey: 'processed/aa/aa.mp4',
  fileName: 'aa.mp4',
  contentType: 'video/mp4',
  bytes: 1_000,
  sha256: 'a'.repeat(64),
  width: 1080,
  height: 1920,
  durationSeconds: 12,
  hasAudio: true,
  storageType: 'local',
  ...overrides,
});

/** An item in `ready` with a processed file and a caption. */
export async function aReadyItem(uow: UnitOfWork, overrides: Partial<ContentItem> = {}): Promise<ContentItem> {
  const item = await anItem(uow, { state: 'ready', ...overrides });
  await uow.media.replace(item.id, 'processed', [fileFields()]);
  await uow.captions.save({ itemId: item.id, caption: 'Snow day.', hashtags: ['#fox', 'snow'], captionModel: 'offline' });
  return item;
}

export async function aSubreddit(uow: UnitOfWork, overrides: Partial<NewSubreddit> = {}): Promise<Subreddit> {
  const subreddit = await uow.subreddits.create({
    name: 'aww',
    intervalMinutes: 60,
    postsToFetch: 100,
    timePeriod: 'day',
    autoProcessStage: 'dmcaProtection',
    filters: DEFAULT_SUBREDDIT_FILTERS,
    ...overrides,
  });
  if (subreddit === null) throw new Error('the subreddit already exists');
  return subreddit;
}
