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
   * Searches the entries that the register received since the first check. The item's own entry is committed by now, and this search ignores the
   * entries after it: of two equal items only the later one is refused. A new claim locks the items that it matches, so either it holds this item
   * back afterwards, or this search finds the claim.
   */
  async done(uow, input, output, job) {
    const { item } = input;
    const current = await uow.items.lock(item.id);
    const added = await uow.rights.findMatches(item.id, output.fingerprints, { after: output.seen, itemsBefore: output.entry });
    const matches = [...output.matches, ...added];
    const verdict = added.length > 0 ? judge(output.fingerprints, matches) : output.verdict;
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
    const reviewReasons = replaceReviewReasons(current.reviewReasons, 'rights', [...verdict.reasons, ...notes]);
    const patch = { needsReview: reviewReasons.length > 0, reviewReasons };
    await advance(uow, current, { by: 'stage', finished: 'dmca' }, { actor: 'dmca-worker', correlationId: job.correlationId, patch });
  },

  /** Stores the evidence for the refusal; a post that a claim names has none, because its files were not read. */
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

/** Steps that prepare the files for publication; the others decide about rights. */
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

/** Without `output` for a refused item. */
async function saveRights(
  uow: UnitOfWork,
  item: ContentItem,
  { verdict: { verdict, reasons }, matches, fingerprints, frames }: RightsEvidence,
  output?: Protected,
  notes: ReviewReason[] = [],
): Promise<void> {
  const files = output?.files ?? [];
  const hashes = {
    originals: fingerprints.map(({ sha256 }) => sha256),
    sounds: fingerprints.map(({ sound }) => sound?.state ?? null),
    processed: files.map(({ stored }) => stored.sha256),
  };
  const changes = { layout: output?.layout ?? null, changes: files.map((file) => file.changes) };
  const stored = await uow.media.ofItem(item.id);
  await uow.provenance.append(item.id, 'rights', {
    // of this record: the covers are recorded since 2
    version: 2,
    verdict,
    reasons,
    matches,
    ...hashes,
    covers: stored.flatMap(({ role, sha256 }) => (role === 'cover' || role === 'uploaded_cover' ? sha256 : [])),
    permission: (await uow.permissions.stateOf(item, null)).granted,
    contentCredentials: fingerprints.map(({ contentCredentials }) => contentCredentials ?? null),
    ...changes,
    frames: recordedFrames(frames),
    notes,
  });
  await uow.frames.add(item.id, frames);
  await uow.rights.saveDecision({
    itemId: item.id,
    verdict,
    reasons: reasons.map(renderReviewReason),
    matches,
    provenance: {
      platform: item.platform,
      sourceId: item.sourceId,
      originalUrl: item.originalUrl,
      author: item.author,
      ...hashes,
      trimmedFromSeconds: files.find(({ trimmedFromSeconds }) => trimmedFromSeconds !== null)?.trimmedFromSeconds ?? null,
      filesLeftOut: output?.leftOut ?? 0,
      ...changes,
      contentCredentials: fingerprints.flatMap(({ contentCredentials }) => contentCredentials ?? []),
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
