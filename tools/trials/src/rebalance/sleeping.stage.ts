import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContentItem } from '@autoposter/persistence';
import { defineStage, defineStep, done, type StageCommit } from '@autoposter/job-engine';
import { advance, failItem } from '@autoposter/workflow';

interface Nap {
  item: ContentItem;
  milliseconds: number;
}

interface SleepTools {
  member: string;
  /** Records starts independently of the tested database. */
  startsFile: string;
}

/** One line of the starts file. */
export interface Start {
  jobId: string;
  member: string;
  attempt: number;
  /** Milliseconds since the epoch; all members run on one machine. */
  at: number;
}

/** Audit row in the transaction that ends a job. No constraint makes it unique, so a second commit would add a second row. */
export const EFFECT = 'trial.effect';

const sleep = defineStep<Nap, { milliseconds: number }, SleepTools>({
  name: 'sleep',
  effect: 'read',
  async run({ milliseconds }, { member, startsFile }, { jobId, attempt, signal }) {
    const start: Start = { jobId, member, attempt, at: Date.now() };
    // Written synchronously, so that a kill loses no start.
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

/** The stage `dmca` with a sleep as its only step. */
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

/** On Kafka the members announce jobs by messages; without brokers the rows of the jobs are the queue. */
export const publishingOf = (brokers: readonly string[] | null) => ({ requests: brokers !== null, facts: false });
