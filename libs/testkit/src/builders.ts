import { randomUUID } from 'node:crypto';
import type {
  ContentItem,
  Database,
  JobClaim,
  JobEnd,
  MediaFile,
  NewItem,
  NewMediaFile,
  NewSubreddit,
  StageJob,
  Subreddit,
  UnitOfWork,
} from '@autoposter/persistence';
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

/**
 * Claims this job as its worker would, whichever other jobs of the stage wait before it; `null` if it cannot be claimed. With `jobs`, as a part
 * of their transaction, which may have created the job.
 */
export async function claimJob(
  database: Database,
  id: string,
  {
    owner = 'a worker',
    leaseSeconds = 30,
    jobs = database.read.jobs,
  }: { owner?: string; leaseSeconds?: number; jobs?: UnitOfWork['jobs'] } = {},
): Promise<StageJob | null> {
  const job = await jobs.find(id);
  if (job === null) return null;
  const others = await database.sql.query<{ id: string }>(
    "SELECT id FROM stage_jobs WHERE stage = $1 AND id <> $2 AND state IN ('requested','running')",
    [job.stage, id],
  );
  const except = others.map((other) => other.id);
  const [claimed] = await jobs.claimNext({ stage: job.stage, limit: 1, owner, leaseSeconds, peopleOnly: false, except });
  return claimed?.job ?? null;
}

/** Ends an attempt in this step; `false` if the job is no longer held with this fence. */
export const endJob = async (
  jobs: Pick<UnitOfWork['jobs'], 'endMany'>,
  { id, fence }: JobClaim,
  end: JobEnd,
  step: string | null = null,
): Promise<boolean> => (await jobs.endMany([{ id, fence, end, step, forget: [] }])).has(id);
