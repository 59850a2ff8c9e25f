import type { MediaType, SkipReason } from '@autoposter/contracts';
import type { Failure, FailureKind, SourcePost } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance, failItem, type StageCommit } from '@autoposter/stage-runner';
import { skippedPost } from '../collect/collect.commit';
import { sourceFields } from '../source-fields';
import type { DownloadInput } from './steps/resolve-source.step';
import type { Downloaded, StoredMedia } from './steps/store-original.step';

export const downloadCommit: StageCommit<DownloadInput, Downloaded> = {
  async started(uow, { item }) {
    if (item.state !== 'accepted') return;
    await uow.items.transition(item.id, { fromVersion: item.version, from: 'accepted', to: 'downloading' });
  },

  async done(uow, { item }, { post, topComments, files, storageType }, job) {
    if (post.sourceId !== item.sourceId && !(await takeIdentity(uow, item, post))) return;
    await uow.media.replace(
      item.id,
      'original',
      files.map((file, index) => ({ ...originalFile(file, index), storageType })),
    );
    await uow.items.patch(item.id, { ...sourceFields(post), mediaType: mediaTypeOf(files), topComments, ...reviewOf(post) });
    await advance(
      uow,
      await uow.items.lock(item.id),
      { by: 'stage', finished: 'download' },
      { actor: 'downloader', correlationId: job.correlationId },
    );
  },

  async skipped(uow, { item }, reason, details, _job, evidence) {
    const post = evidence as SourcePost | undefined;
    if (post !== undefined) await uow.items.patch(item.id, sourceFields(post));
    const failure: Failure = {
      kind: 'unsupported_media',
      message: details,
      side: item.platform,
      nextAction: 'Open the post at its source, or remove it from the list.',
    };
    await leaveOut(uow, item.id, failure, 'resolve-source', reason);
  },

  async failed(uow, { item }, failure, step) {
    await leaveOut(uow, item.id, failure, step, SKIP_REASON[failure.kind] ?? 'download_failure');
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

async function leaveOut(uow: UnitOfWork, itemId: string, failure: Failure, step: string, reason: SkipReason): Promise<void> {
  const item = await uow.items.lock(itemId);
  await failItem(uow, item, 'download', failure, step);
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
  await uow.skipped.record({ ...skippedPost(logged, item.subreddit, reason, failure.message), errorMessage: failure.nextAction, itemId });
}

/** A share link tells which post it is only once it was followed; that post may be here already. */
async function takeIdentity(uow: UnitOfWork, item: ContentItem, post: SourcePost): Promise<boolean> {
  const known = await uow.items.findBySource(post.platform, post.sourceId);
  if (known === null) {
    await uow.items.patch(item.id, { sourceId: post.sourceId, originalUrl: post.permalink });
    return true;
  }
  const failure: Failure = {
    kind: 'conflict',
    message: `This link leads to a post that is here already: "${known.title}".`,
    side: 'operator',
    nextAction: 'Remove this entry and go on with the other one.',
  };
  await leaveOut(uow, item.id, failure, 'resolve-source', 'duplicate_post');
  return false;
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
});

const mediaTypeOf = (files: readonly StoredMedia[]): MediaType => files[0]?.info.kind ?? 'other';

/** What a person has to see before it may go out. */
const reviewOf = (post: SourcePost): Partial<ContentItem> =>
  post.nsfw ? { needsReview: true, reviewReasons: ['Marked as not safe for work at the source.'] } : {};
