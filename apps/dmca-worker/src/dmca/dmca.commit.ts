import type { SkipReason } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance, failItem, type StageCommit } from '@autoposter/stage-runner';
import type { RightsEvidence } from './steps/match-register.step';
import type { DmcaInput } from './steps/read-original.step';
import type { Protected } from './steps/store-processed.step';

export const dmcaCommit: StageCommit<DmcaInput, Protected> = {
  async done(uow, { item }, output, job) {
    await uow.media.replace(
      item.id,
      'processed',
      output.files.map((file) => ({ ...processedFile(file), storageType: output.storageType })),
    );
    await uow.media.replace(item.id, 'cover', [coverFile(output)]);
    await saveRights(uow, item, output, output.files);
    if (output.verdict.verdict === 'flagged') {
      await uow.items.patch(item.id, { needsReview: true, reviewReasons: [...item.reviewReasons, ...output.verdict.reasons] });
    }
    const now = await uow.items.lock(item.id);
    await advance(uow, now, { by: 'stage', finished: 'dmca' }, { actor: 'dmca-worker', correlationId: job.correlationId });
  },

  /** What the register refuses: the verdict stays with its evidence, and the skipped log tells it. */
  async skipped(uow, { item }, reason, details, _job, evidence) {
    if (evidence !== undefined) await saveRights(uow, item, evidence as RightsEvidence, []);
    const failure: Failure = {
      kind: 'rights_blocked',
      message: details,
      side: 'operator',
      nextAction:
        reason === 'duplicate_post'
          ? 'Nothing to do: go on with the other one.'
          : 'Do not post this media. If the match is wrong, withdraw the claim and run DMCA protection again.',
    };
    await block(uow, await uow.items.lock(item.id), failure);
    await logSkipped(uow, item, reason, details);
  },

  async failed(uow, { item }, failure, step) {
    await failItem(uow, await uow.items.lock(item.id), 'dmca', failure, step);
  },
};

async function saveRights(uow: UnitOfWork, item: ContentItem, evidence: RightsEvidence, files: Protected['files']): Promise<void> {
  await uow.rights.saveFingerprints(item.id, evidence.fingerprints);
  await uow.rights.saveVerdict({
    itemId: item.id,
    verdict: evidence.verdict.verdict,
    reasons: evidence.verdict.reasons,
    matches: evidence.matches,
    provenance: {
      platform: item.platform,
      sourceId: item.sourceId,
      originalUrl: item.originalUrl,
      author: item.author,
      originals: evidence.fingerprints.map((print) => print.sha256),
      processed: files.map(({ stored }) => stored.sha256),
      trimmedFromSeconds: files.find((file) => file.trimmedFromSeconds !== null)?.trimmedFromSeconds ?? null,
    },
  });
}

async function block(uow: UnitOfWork, item: ContentItem, failure: Failure): Promise<void> {
  const moved = await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: 'blocked' });
  if (!moved) throw new Error('the item was changed by somebody else');
  const timestamp = (await uow.now()).toISOString();
  await uow.items.addError(item.id, {
    stage: 'dmca',
    message: failure.message,
    timestamp,
    nextAction: failure.nextAction,
    kind: failure.kind,
  });
}

async function logSkipped(uow: UnitOfWork, item: ContentItem, reason: SkipReason, details: string): Promise<void> {
  await uow.skipped.record({
    subreddit: item.subreddit ?? item.platform,
    platform: item.platform,
    sourceId: item.sourceId,
    originalUrl: item.originalUrl,
    reason,
    additionalInfo: details,
    title: item.title,
    author: item.author,
    postType: item.postType,
    score: item.score ?? 0,
    sourceCreatedAt: item.sourceCreatedAt,
    itemId: item.id,
  });
}

const processedFile = ({ kind, position, stored, info }: Protected['files'][number]) => ({
  position,
  mediaType: kind,
  objectKey: stored.key,
  fileName: `${position + 1}.${kind === 'video' ? 'mp4' : 'jpg'}`,
  contentType: stored.contentType,
  bytes: stored.bytes,
  sha256: stored.sha256,
  width: info.width,
  height: info.height,
  durationSeconds: info.durationSeconds,
  hasAudio: kind === 'video' ? info.hasAudio : null,
});

const coverFile = ({ cover, storageType }: Protected) => ({
  storageType,
  mediaType: 'image' as const,
  objectKey: cover.key,
  fileName: 'cover.jpg',
  contentType: cover.contentType,
  bytes: cover.bytes,
  sha256: cover.sha256,
  width: null,
  height: null,
  durationSeconds: null,
  hasAudio: null,
});
