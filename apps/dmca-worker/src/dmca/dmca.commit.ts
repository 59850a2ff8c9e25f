import type { SkipReason, FailureKind } from '@autoposter/contracts';
import { failureOf, renderReviewReason, replaceReviewReasons, type ReviewReason, reviewReason } from '@autoposter/domain';
import { recordedFrames, type ContentItem, type UnitOfWork } from '@autoposter/persistence';
import type { StageCommit } from '@autoposter/job-engine';
import { advance, blockItem, failItem } from '@autoposter/workflow';
import { judge, refusal, type RightsEvidence } from './rights-register';
import type { DmcaInput } from './steps/read-original.step';
import type { Protected } from './steps/store-processed.step';

export const dmcaCommit: StageCommit<DmcaInput, Protected> = {
  /**
   * Another file with the same content, or a claim on it, may have come onto the register since the first check. The item is in the register
   * by now, so that later ones find it, and this check ignores them: of two that are alike only one passes. A claim locks the items that it
   * matches, so that either it holds this one back afterwards or this check finds it.
   */
  async done(uow, input, output, job) {
    const { item } = input;
    const now = await uow.items.lock(item.id);
    const since = await uow.rights.findMatches(item.id, output.fingerprints, { after: output.seen, itemsBefore: output.entry });
    const matches = [...output.matches, ...since];
    const verdict = since.length > 0 ? judge(output.fingerprints, matches) : output.verdict;
    const evidence = { verdict, matches, fingerprints: output.fingerprints, frames: output.frames };
    if (verdict.verdict === 'blocked') return refusal(evidence);
    await uow.media.replace(
      item.id,
      'processed',
      output.files.map((file) => ({ ...processedFile(file), storageType: output.storageType })),
    );
    await uow.media.replace(item.id, 'cover', [coverFile(output)]);
    const notes = notesOn(output);
    await saveRights(uow, item, evidence, output, notes);
    const reviewReasons = replaceReviewReasons(now.reviewReasons, 'rights', [...verdict.reasons, ...notes]);
    const patch = { needsReview: reviewReasons.length > 0, reviewReasons };
    await advance(uow, now, { by: 'stage', finished: 'dmca' }, { actor: 'dmca-worker', correlationId: job.correlationId, patch });
  },

  /** What the register refuses: the verdict stays with its evidence, and the skipped log tells it. */
  async skipped(uow, { item }, reason, details, _job, evidence) {
    if (evidence !== undefined) {
      const rights = evidence as RightsEvidence;
      await uow.rights.saveFingerprints(item.id, rights.fingerprints);
      await saveRights(uow, item, rights);
    }
    const failure = failureOf(reason === 'duplicate_post' ? 'duplicate_post' : 'rights_match', { fields: { message: details } });
    await blockItem(uow, await uow.items.lock(item.id), failure, reason);
  },

  async failed(uow, { item }, failure, step) {
    await failItem(uow, await uow.items.lock(item.id), 'dmca', failure, step);
    await uow.skipped.recordItem(
      item,
      SKIP_REASON[failure.kind] ?? (PROCESSING.has(step) ? 'processing_failure' : 'dmca_failure'),
      failure.nextAction,
      failure.message,
    );
  },
};

/** Steps that bring a file into the form that is posted; the others decide about rights. */
const PROCESSING: ReadonlySet<string> = new Set(['normalise', 'check-platform', 'store-processed']);

const SKIP_REASON: Partial<Record<FailureKind, SkipReason>> = {
  too_large: 'file_size_limit',
  unsupported_media: 'unsupported_format',
  corrupt_media: 'unsupported_format',
};

/** Differences from the source that a person reviews before publication. */
function notesOn({ files, leftOut }: Protected): ReviewReason[] {
  const cut = files.flatMap(({ trimmedFromSeconds }) =>
    trimmedFromSeconds === null ? [] : [reviewReason('video_trimmed', { seconds: Math.round(trimmedFromSeconds) })],
  );
  const used = files.length;
  return leftOut === 0 ? cut : [...cut, reviewReason('gallery_shortened', { files: used + leftOut, used })];
}

async function saveRights(
  uow: UnitOfWork,
  item: ContentItem,
  evidence: RightsEvidence,
  output?: Protected,
  notes: ReviewReason[] = [],
): Promise<void> {
  await uow.provenance.append(item.id, 'rights', {
    verdict: evidence.verdict.verdict,
    reasons: evidence.verdict.reasons,
    matches: evidence.matches,
    originals: evidence.fingerprints.map((print) => print.sha256),
    contentCredentials: evidence.fingerprints.map(({ contentCredentials }) => contentCredentials ?? null),
    sounds: evidence.fingerprints.map(({ sound }) => sound?.state ?? null),
    processed: output?.files.map(({ stored }) => stored.sha256) ?? [],
    frames: recordedFrames(evidence.frames),
    notes,
  });
  await uow.frames.add(item.id, evidence.frames);
  await uow.rights.saveDecision({
    itemId: item.id,
    verdict: evidence.verdict.verdict,
    reasons: evidence.verdict.reasons.map(renderReviewReason),
    matches: evidence.matches,
    provenance: {
      platform: item.platform,
      sourceId: item.sourceId,
      originalUrl: item.originalUrl,
      author: item.author,
      originals: evidence.fingerprints.map((print) => print.sha256),
      sounds: evidence.fingerprints.map(({ sound }) => sound?.state ?? null),
      processed: output?.files.map(({ stored }) => stored.sha256) ?? [],
      trimmedFromSeconds: output?.files.find((file) => file.trimmedFromSeconds !== null)?.trimmedFromSeconds ?? null,
      filesLeftOut: output?.leftOut ?? 0,
      layout: output?.layout ?? null,
      changes: output?.files.map(({ changes }) => changes) ?? [],
      contentCredentials: evidence.fingerprints.flatMap(({ contentCredentials }) => contentCredentials ?? []),
      notes: notes.map(renderReviewReason),
    },
  });
}

const processedFile = ({ kind, position, stored, info, coverSeconds }: Protected['files'][number]) => ({
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
  coverSeconds,
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
