import type { MediaType, SkipReason } from '@autoposter/contracts';
import type { Failure, FailureKind, SourcePost } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance, failItem, type StageCommit } from '@autoposter/stage-runner';
import { skippedPost } from '../collect/collect.commit';
import type { DownloadInput } from './steps/resolve-source.step';
import type { Downloaded, StoredMedia } from './steps/store-original.step';

export const downloadCommit: StageCommit<DownloadInput, Downloaded> = {
  async started(uow, { item }) {
    if (item.state !== 'accepted') return;
    await uow.items.transition(item.id, { fromVersion: item.version, from: 'accepted', to: 'downloading' });
  },

  async done(uow, { item }, { post, topComments, files }, job) {
    await uow.media.replace(item.id, 'original', files.map(originalFile));
    await uow.items.patch(item.id, { ...sourceFields(post), mediaType: mediaTypeOf(files), topComments, ...reviewOf(post) });
    await advance(
      uow,
      await current(uow, item.id),
      { by: 'stage', finished: 'download' },
      { actor: 'downloader', correlationId: job.correlationId },
    );
  },

  async skipped(uow, { item }, reason, details, job, evidence) {
    const post = evidence as SourcePost | undefined;
    if (post !== undefined) await uow.items.patch(item.id, sourceFields(post));
    const failure: Failure = {
      kind: 'unsupported_media',
      message: details,
      side: item.platform,
      nextAction: 'Open the post at its source, or remove it from the list.',
    };
    await leaveOut(uow, item.id, failure, 'resolve-source', reason, job.correlationId);
  },

  async failed(uow, { item }, failure, step, job) {
    await leaveOut(uow, item.id, failure, step, SKIP_REASON[failure.kind] ?? 'download_failure', job.correlationId);
  },
};

const SKIP_REASON: Partial<Record<FailureKind, SkipReason>> = {
  too_large: 'file_size_limit',
  unsupported_media: 'unsupported_format',
  corrupt_media: 'unsupported_format',
  invalid_input: 'invalid_url',
  rate_limited: 'rate_limit',
  transient: 'network_error',
};

async function leaveOut(
  uow: UnitOfWork,
  itemId: string,
  failure: Failure,
  step: string,
  reason: SkipReason,
  correlationId: string,
): Promise<void> {
  const item = await current(uow, itemId);
  await failItem(uow, item, 'download', failure, step, { correlationId });
  if (item.subreddit === null) return;
  const logged = {
    platform: item.platform,
    sourceId: item.sourceId,
    permalink: item.originalUrl,
    title: item.title,
    author: item.author,
    postType: item.postType,
    score: item.score ?? 0,
    createdAt: (item.sourceCreatedAt ?? item.createdAt).toISOString(),
  } as SourcePost;
  await uow.skipped.save({ ...skippedPost(logged, item.subreddit, reason, failure.message), errorMessage: failure.nextAction, itemId });
}

const originalFile = ({ stored, info }: StoredMedia, index: number) => ({
  mediaType: info.kind,
  objectKey: stored.key,
  fileName: `${index + 1}.${stored.key.split('.').pop() ?? 'bin'}`,
  contentType: stored.contentType,
  bytes: stored.bytes,
  sha256: stored.sha256,
  width: info.width,
  height: info.height,
  durationSeconds: info.durationSeconds,
  hasAudio: info.kind === 'video' ? info.hasAudio : null,
  storageType: 'local' as const,
});

const mediaTypeOf = (files: readonly StoredMedia[]): MediaType => files[0]?.info.kind ?? 'other';

const sourceFields = (post: SourcePost): Partial<ContentItem> => ({
  title: post.title,
  author: post.author,
  subreddit: post.subreddit,
  postType: post.postType,
  nsfw: post.nsfw,
  score: post.score,
  upvoteRatio: post.upvoteRatio,
  likes: post.likes,
  sourceCreatedAt: new Date(post.createdAt),
  sourcePost: post,
});

/** What a person has to see before it may go out. */
const reviewOf = (post: SourcePost): Partial<ContentItem> =>
  post.nsfw ? { needsReview: true, reviewReasons: ['Marked as not safe for work at the source.'] } : {};

async function current(uow: UnitOfWork, id: string): Promise<ContentItem> {
  const item = await uow.items.findForUpdate(id);
  if (item === null) throw new Error('the item is gone');
  return item;
}
