import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readProcessSettings } from '@autoposter/config';
import { consumerGroup, topics } from '@autoposter/contracts';
import { type JobBus, messageJobBus, postgresJobBus, requestStage } from '@autoposter/job-engine';
import { KafkaBus } from '@autoposter/messaging';
import { Database } from '@autoposter/persistence';
import {
  anItem,
  createDatabase,
  noEngineReason,
  pollUntil,
  type PostgresServer,
  startEmbeddedPostgres,
  startKafka,
  temporaryFolder,
} from '@autoposter/testkit';
import { ROOT, SeededRandom, progress, type TrialArguments, type TrialResult } from '../trial';
import { assess, LagMonitor } from './assess';
import { ConsumerPool } from './consumer-pool';
import { EFFECT, publishingOf, type Start } from './sleeping.stage';

const MEMBER = 'tools/trials/src/rebalance/member.ts';
const LAG_ZERO_WITHIN_MS = 90_000;

/**
 * Runs jobs on each bus while workers join and leave continuously, every second one by SIGKILL. Every job must have exactly one committed
 * effect and restart only after its worker was killed, and the lag must never be below the number of unfinished jobs.
 */
export async function rebalance(args: TrialArguments): Promise<TrialResult> {
  const plan = planOf(args);
  const program = bundleMember();
  const postgres = await startEmbeddedPostgres();
  try {
    const rows = await runOnBus('postgres', plan, program, postgres, null);
    const messages = await withKafka((brokers) => runOnBus('kafka', plan, program, postgres, brokers));
    return {
      n: rows.n + messages.n,
      failures: [...rows.failures, ...messages.failures],
      facts: { jobsPerBus: plan.jobs, postgres: rows.facts, kafka: messages.facts },
    };
  } finally {
    await postgres.stop();
  }
}

/** Skipped with a message where no container can be started; with CI=true that is a failure. */
async function withKafka(work: (brokers: string[]) => Promise<TrialResult>): Promise<TrialResult> {
  const noEngine = noEngineReason();
  if (noEngine !== null) {
    progress(`skipped: kafka (${noEngine})`);
    return { n: 0, failures: readProcessSettings().ci ? [`kafka: ${noEngine}`] : [], facts: { skipped: noEngine } };
  }
  progress('starting Kafka');
  const kafka = await startKafka();
  try {
    return await work(kafka.brokers);
  } finally {
    await kafka.stop();
  }
}

async function runOnBus(
  name: string,
  plan: Plan,
  program: string,
  postgres: PostgresServer,
  brokers: string[] | null,
): Promise<TrialResult> {
  progress(`${name}: ${plan.jobs} jobs of ${plan.shortestMs / 1000} to ${plan.longestMs / 1000} s`);
  const folder = temporaryFolder(`rebalance-${name}`);
  const result = await run(plan, { brokers, databaseUrl: await createDatabase(postgres, 'schema'), program, folder });
  if (result.failures.length === 0) rmSync(folder, { recursive: true, force: true });
  else progress(`output of the members: ${join(folder, 'members.log')}`);
  return { ...result, failures: result.failures.map((failure) => `${name}: ${failure}`) };
}

/** Members are killed, so they need a program of their own. */
function bundleMember(): string {
  const bundled = spawnSync(process.execPath, ['tools/local/bundle.mjs', MEMBER], { cwd: ROOT, encoding: 'utf8' });
  if (bundled.status !== 0) throw new Error(`the member program could not be bundled: ${bundled.stderr}`);
  return join(ROOT, bundled.stdout.trim());
}

async function run(
  plan: Plan,
  { brokers, databaseUrl, program, folder }: { brokers: string[] | null; databaseUrl: string; program: string; folder: string },
): Promise<TrialResult> {
  const [startsFile, workRoot, logFile] = [join(folder, 'starts'), join(folder, 'work'), join(folder, 'members.log')];
  mkdirSync(workRoot);
  writeFileSync(startsFile, '');
  const publishing = publishingOf(brokers);
  const database = await Database.connect({ url: databaseUrl, poolSize: 4, applicationName: 'trial', publishing });
  const bus = brokers === null ? postgresJobBus(database) : await announceByKafka(brokers, database);
  const random = new SeededRandom(plan.seed);
  const { leaseSeconds, sessionMs, slots } = plan;
  const pool = new ConsumerPool({ brokers, databaseUrl, startsFile, workRoot, leaseSeconds, sessionMs, slots }, program, logFile, random);
  const monitor = new LagMonitor({ lag: () => bus.lag('dmca'), unfinished: () => unfinished(database) });
  bus.start();
  try {
    progress('starting the first members');
    await Promise.all(Array.from({ length: plan.members }, () => pool.join()));
    const began = performance.now();
    const jobIds = await requestJobs(plan, database, random);
    await pollUntil(async () => (await database.read.outbox.backlog()).waiting === 0, 60_000, 'all requests on the broker');
    monitor.start();
    await rebalanceUntilDone(plan, pool, database, began + plan.deadlineMs);
    const left = await unfinished(database);
    const workSeconds = Math.round((performance.now() - began) / 1000);
    progress(`${plan.jobs - left} of ${plan.jobs} jobs done after ${workSeconds} s; waiting for the lag`);
    await pollUntil(async () => (await bus.lag('dmca')) === 0, LAG_ZERO_WITHIN_MS).catch(() => undefined);
    await monitor.stop();
    const lagAtEnd = await bus.lag('dmca');
    const { failures, facts } = await assessmentOf({ pool, monitor, jobIds, startsFile }, database);
    if (left > 0) failures.push(`${left} jobs were not finished in time`);
    if (lagAtEnd > 0) failures.push(`the lag is ${lagAtEnd} although no job is running`);
    return { n: jobIds.length, failures, facts: { ...facts, workSeconds, lagAtEnd } };
  } finally {
    await monitor.stop();
    await pool.close();
    await bus.close();
    await database.close();
  }
}

async function announceByKafka(brokers: string[], database: Database): Promise<JobBus> {
  const kafka = new KafkaBus({ brokers, clientId: 'trial' });
  await kafka.ensureTopics(
    [topics.requested.dmca, topics.dead.dmca],
    [{ group: consumerGroup('dmca'), topic: topics.requested.dmca.name }],
  );
  return messageJobBus(kafka, database);
}

async function requestJobs(plan: Plan, database: Database, random: SeededRandom): Promise<string[]> {
  const jobIds: string[] = [];
  for (let n = 0; n < plan.jobs; n += 1) {
    const milliseconds = Math.round(plan.shortestMs + random.next() * (plan.longestMs - plan.shortestMs));
    await database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { autoProcessStage: 'aiCaption', state: 'protecting' });
      const ask = { subjectId: item.id, itemId: item.id, key: item.id, options: { milliseconds }, maxAttempts: 20, actor: 'trial' };
      const asked = await requestStage(uow, { stage: 'dmca', ...ask });
      if (!asked.accepted) throw new Error('the job was not accepted');
      jobIds.push(asked.job.id);
    });
  }
  return jobIds;
}

/** One member joins and one leaves per interval, until all jobs are done. */
async function rebalanceUntilDone(plan: Plan, pool: ConsumerPool, database: Database, deadline: number): Promise<void> {
  for (let turn = 1; performance.now() < deadline; turn += 1) {
    const next = performance.now() + plan.intervalMs;
    while (performance.now() < next) {
      if ((await unfinished(database)) === 0) return;
      await pause(250);
    }
    pool.leaveOne();
    void pool.join();
    if (turn % 3 === 0)
      progress(`${await unfinished(database)} jobs unfinished, ${pool.running.length} members, ${pool.count('killed')} killed so far`);
  }
}

const unfinished = async (database: Database): Promise<number> =>
  (await database.read.jobCounts.pressure()).reduce(
    (sum, { waiting, running, postponed, retrying }) => sum + waiting + running + postponed + retrying,
    0,
  );

async function assessmentOf(
  { pool, monitor, jobIds, startsFile }: { pool: ConsumerPool; monitor: LagMonitor; jobIds: string[]; startsFile: string },
  database: Database,
): Promise<Required<Omit<TrialResult, 'n'>>> {
  const lines = readFileSync(startsFile, 'utf8').split('\n').filter(Boolean);
  const effects = await database.sql.query<{ subject: string }>('SELECT subject FROM audit_log WHERE action = $1', [EFFECT]);
  const completed = await database.sql.query<{ id: string }>(
    `SELECT j.id FROM event_history e JOIN stage_jobs j ON j.subject_id = e.subject_id WHERE e.type = 'dmca.completed'`,
  );
  const assessment = assess({
    jobIds,
    starts: lines.map((line) => JSON.parse(line) as Start),
    killedAt: new Map(pool.members.flatMap(({ name, killedAt }) => (killedAt === null ? [] : [[name, killedAt] as const]))),
    effects: effects.map((row) => row.subject),
    completed: completed.map((row) => row.id),
  });
  const failures = [...assessment.failures, ...pool.failures];
  for (const { lag, unfinished: open } of monitor.tooLow.slice(0, 5))
    failures.push(`the lag was ${lag} while ${open} jobs were unfinished`);
  if (monitor.samples.length === 0) failures.push('the lag was never read');
  if (pool.count('killed') === 0 || pool.count('terminated') === 0)
    failures.push('no member was killed or no member left orderly, so the result is inconclusive');
  const facts = {
    effectsPerJob: assessment.effectsPerJob.toFixed(3),
    starts: assessment.starts,
    restartedJobs: assessment.restarted,
    longestTakeoverMs: assessment.longestTakeoverMs,
    members: pool.count('joined'),
    killed: pool.count('killed'),
    askedToLeave: pool.count('terminated'),
    lagSamples: monitor.samples.length,
    lagSamplesRefused: monitor.refused,
    lagTooLow: monitor.tooLow.length,
    lagMostAbove: monitor.mostAbove,
  };
  return { failures, facts };
}

interface Plan {
  /** On each bus. */
  jobs: number;
  seed: number;
  /** Range of the job durations. */
  shortestMs: number;
  longestMs: number;
  leaseSeconds: number;
  sessionMs: number;
  slots: number;
  /** Members before the first request; one joins and one leaves per interval. */
  members: number;
  intervalMs: number;
  /** Jobs that are unfinished after this time count as lost. */
  deadlineMs: number;
}

const FULL: Omit<Plan, 'seed'> = {
  jobs: 500,
  shortestMs: 1_000,
  longestMs: 4_000,
  leaseSeconds: 6,
  sessionMs: 6_000,
  slots: 3,
  members: 4,
  intervalMs: 5_000,
  deadlineMs: 900_000,
};

const SHORT: Omit<Plan, 'seed'> = {
  ...FULL,
  jobs: 12,
  shortestMs: 2_000,
  longestMs: 5_000,
  slots: 2,
  members: 2,
  intervalMs: 4_000,
  deadlineMs: 180_000,
};

function planOf({ n, seed, full }: TrialArguments): Plan {
  const base = full ? FULL : SHORT;
  return { ...base, seed, jobs: n ?? base.jobs };
}
