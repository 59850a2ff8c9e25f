import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContentItem } from '@autoposter/persistence';
import { defineStage, defineStep, done, type StageCommit } from '@autoposter/job-engine';
import { advance, failItem } from '@autoposter/workflow';

export interface Nap {
  item: ContentItem;
  milliseconds: number;
}

export interface SleepTools {
  member: string;
  /** Where starts are written down, apart from the database that is on trial. */
  startsFile: string;
}

/** One line of the file of starts. */
export interface Start {
  jobId: string;
  member: string;
  attempt: number;
  /** Milliseconds since the epoch; all members run on one machine. */
  at: number;
}

/** Left in the transaction that ends a job. Nothing in the schema keeps it unique: a second commit would be a second row. */
export const EFFECT = 'trial.effect';

const sleep = defineStep<Nap, { milliseconds: number }, SleepTools>({
  name: 'sleep',
  effect: 'read',
  async run({ milliseconds }, { member, startsFile }, { jobId, attempt, signal }) {
    const start: Start = { jobId, member, attempt, at: Date.now() };
    // written at once, so that a kill leaves no start untold
    appendFileSync(startsFile, `${JSON.stringify(start)}\n`);
    await pause(milliseconds, undefined, { signal });
    return done({ milliseconds });
  },
});

const sleepCommit: StageCommit<Nap, { milliseconds: number }> = {
  async done(uow, { item }, _output, job) {
    await uow.audit.record({ actor: job.leaseOwner ?? 'unknown', action: EFFECT, subject: job.id });
    await advance(uow, item, { by: 'stage', finished: 'dmca' }, { actor: 'system', correlationId: job.correlationId });
  },
  skipped: () => Promise.resolve(),
  async failed(uow, { item }, failure, step) {
    await failItem(uow, item, 'dmca', failure, step);
  },
};

/** The stage `dmca` with sleep in place of work; all else is the product's. */
export const sleepingStage = defineStage({
  name: 'dmca',
  limits: { timeoutMs: 120_000, slots: 3 },
  async load(uow, job): Promise<Nap | null> {
    const item = await uow.items.find(job.subjectId);
    return item?.state === 'protecting' ? { item, milliseconds: Number(job.options.milliseconds) } : null;
  },
  steps: [sleep],
  commit: sleepCommit,
});
