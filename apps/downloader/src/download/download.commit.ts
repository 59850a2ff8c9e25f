import type { MediaType, SkipReason, FailureKind } from '@autoposter/contracts';
import { addReviewReasons, type Failure, failureOf, reviewReason, type SourcePost } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import type { StageCommit } from '@autoposter/job-engine';
import { advance, failItem, recordBlock, resubmit } from '@autoposter/workflow';
import { sourceFields } from '../source-fields';
import { alreadyHere } from '../fetching/unusable-source';
import type { Claimed, DownloadInput, Resolved } from './steps/resolve-source.step';
import type { Downloaded, StoredMedia } from './steps/store-original.step';

export const downloadCommit: StageCommit<DownloadInput, Downloaded> = {
  async started(uow, { item }) {
    if (item.state !== 'accepted') return;
    await uow.items.transition(item.id, { fromVersion: item.version, from: 'accepted', to: 'downloading' });
  },

  async done(uow, { item }, { post, topComments, files, storageType }, job) {
    if (post.sourceId !== item.sourceId && !(await takeIdentity(uow, item, post))) return alreadyHere(post);
    await uow.media.replace(
      item.id,
      'original',
      files.map((file, index) => ({ ...originalFile(file, index), storageType })),
    );
    await uow.items.patch(item.id, {
      ...sourceFields(post),
      mediaType: mediaTypeOf(files),
      topComments,
      sourceRemovedAt: null,
      ...reviewOf(post, item),
    });
    await uow.provenance.append(item.id, 'source', sourceRecord(post, files));
    await advance(
      uow,
      await uow.items.lock(item.id),
      { by: 'stage', finished: 'download' },
      { actor: 'downloader', correlationId: job.correlationId },
    );
  },

  async skipped(uow, { item }, reason, details, _job, evidence) {
    if (reason === 'dmca_failure') {
      const { claim, post } = evidence as Claimed;
      if (post !== null) await uow.items.patch(item.id, sourceFields(post));
      await recordBlock(uow, item.id, claim, 'downloader');
      return leaveOut(uow, item.id, claim, 'resolve-source', reason);
    }
    const post = evidence as SourcePost | undefined;
    if (reason === 'duplicate_post' && post !== undefined) return mergeInto(uow, item, post);
    if (post !== undefined) await uow.items.patch(item.id, sourceFields(post));
    const failure = failureOf('source_unusable', { side: item.platform, fields: { message: details } });
    await leaveOut(uow, item.id, failure, 'resolve-source', reason);
  },

  async failed(uow, { item }, failure, step, _job, reached) {
    const { post } = (reached ?? {}) as Partial<Resolved>;
    if (post !== undefined) await uow.items.patch(item.id, sourceFields(post));
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
  // the settings of this installation are at fault, not the post
  not_configured: 'other',
  not_authorised: 'other',
};

async function leaveOut(uow: UnitOfWork, itemId: string, failure: Failure, step: string, reason: SkipReason): Promise<void> {
  const item = await uow.items.lock(itemId);
  await failItem(uow, item, 'download', failure, step);
  // a pasted link has no source data before it is resolved; the claim is recorded without it
  if (item.subreddit !== null || reason === 'dmca_failure') await uow.skipped.recordItem(item, reason, failure.nextAction, failure.message);
}

/** A share link reveals its post only when it is followed. `false` if that post already has an item. */
async function takeIdentity(uow: UnitOfWork, item: ContentItem, post: SourcePost): Promise<boolean> {
  if ((await uow.items.findBySource(post.platform, post.sourceId)) !== null) return false;
  await uow.items.patch(item.id, { sourceId: post.sourceId, originalUrl: post.permalink });
  return true;
}

/** Deletes the item of the share link and resubmits the post's own item with its setting, which also restores a removed one. */
async function mergeInto(uow: UnitOfWork, link: ContentItem, post: SourcePost): Promise<void> {
  const found = await uow.items.findBySource(post.platform, post.sourceId);
  if (found === null) throw new Error('the post that was here already is gone');
  const { state, version } = await uow.items.lock(link.id);
  if (!(await uow.items.transition(link.id, { fromVersion: version, from: state, to: 'deleted' })))
    throw new Error('a locked item changed its state');
  await resubmit(uow, await uow.items.lock(found.id), link.autoProcessStage, 'downloader');
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

/** Where the files came from, for the provenance of the item. */
const sourceRecord = (post: SourcePost, files: readonly StoredMedia[]) => ({
  platform: post.platform,
  sourceId: post.sourceId,
  originId: post.originId ?? null,
  permalink: post.permalink,
  author: post.author,
  subreddit: post.subreddit,
  title: post.title,
  postedAt: post.createdAt,
  addresses: post.media.map(({ url }) => url),
  files: files.map(({ stored: { sha256, bytes, contentType } }) => ({ sha256, bytes, contentType })),
});

const mediaTypeOf = (files: readonly StoredMedia[]): MediaType => files[0]?.info.kind ?? 'other';

/** Review reasons that come from the source. */
const reviewOf = (post: SourcePost, { reviewReasons }: ContentItem): Partial<ContentItem> =>
  post.nsfw ? { needsReview: true, reviewReasons: addReviewReasons(reviewReasons, [reviewReason('nsfw_at_source')]) } : {};
