import { type ClaimedWork, claimedWork, filesOfWork, MAX_WORK_FILES, REGISTER_STAGE, type WorkFile } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { StageCommit } from '@autoposter/job-engine';
import type { UnitOfWork } from '@autoposter/persistence';
import { requestForClaim } from '@autoposter/workflow';
import type { MissedWork, Retrieved, RetrieveInput } from './steps/fetch-works.step';

const ACTOR = 'downloader';

export const retrieveCommit: StageCommit<RetrieveInput, Retrieved> = {
  async done(uow, input, { files, missed }, job) {
    await uow.media.assertKept(
      files.map(({ objectKey }) => objectKey),
      job.requestedAt,
    );
    await settle(uow, input, files, missed);
  },

  async skipped() {
    throw new Error('no step of this stage skips');
  },

  async failed(uow, input, failure) {
    await settle(
      uow,
      input,
      [],
      (input.work.urls ?? []).map((url) => ({ url, failure })),
    );
  },
};

/** The files are fingerprinted next, unless an administrator uploaded one meanwhile. */
async function settle(
  uow: UnitOfWork,
  { claimId, work }: RetrieveInput,
  fetched: readonly WorkFile[],
  missed: readonly MissedWork[],
): Promise<void> {
  const files = distinct([...filesOfWork(work), ...fetched]).slice(0, MAX_WORK_FILES);
  const about = { urls: work.urls, missed: missed.map(({ url, failure }) => ({ url, message: failure.message })) };
  const next: ClaimedWork =
    files.length > 0
      ? claimedWork('stored', files, about)
      : claimedWork('failed', [], { ...about, message: missed[0]?.failure.message ?? null });
  if (!(await uow.claims.setWork(claimId, next, 'requested'))) return;
  if (files.length > 0 && !(await requestForClaim(uow, REGISTER_STAGE, claimId, { actor: ACTOR, forPerson: true })))
    throw PipelineError.of('work_busy');
  const detail = { sha256: files.map(({ sha256 }) => sha256), missed: missed.map(({ url, failure: { code } }) => ({ url, code })) };
  await uow.audit.record({ actor: ACTOR, action: 'rights.fetch', subject: claimId, detail });
}

const distinct = (files: readonly WorkFile[]): WorkFile[] => [...new Map(files.map((file) => [file.sha256, file])).values()];
