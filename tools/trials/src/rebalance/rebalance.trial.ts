import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readProcessSettings } from '@autoposter/config';
import { consumerGroup, topics } from '@autoposter/contracts';
import { KafkaBus } from '@autoposter/messaging';
import { Database } from '@autoposter/persistence';
import { OutboxRelay, requestStage } from '@autoposter/job-engine';
import { createDatabase, startEmbeddedPostgres, startKafka } from '@autoposter/testkit';
import { until } from '../product/until';
import { SeededRandom } from '../random';
import { ROOT, tell, type TrialArguments, type TrialResult } from '../trial';
import { Crew } from './crew';
import { LagWatch } from './lag-watch';
import { planOf, type Plan } from './plan';
import { EFFECT, type Start } from './sleeping.stage';
import { judge } from './verdict';

const TOPIC = topics.requested.dmca.name;
const GROUP = consumerGroup('dmca');
const MEMBER = 'tools/trials/src/rebalance/member.ts';
const LAG_ZERO_WITHIN_MS = 90_000;

/**
 * Jobs on a real broker while members of the group join and leave all the time, every second one by SIGKILL: each job has one committed
 * effect, starts again only where its member was killed, and the lag never hides unfinished work.
 */
export async function rebalance(args: TrialArguments): Promise<TrialResult> {
  const plan = planOf(args);
  tell(`${plan.jobs} jobs of ${plan.shortestMs / 1000} to ${plan.longestMs / 1000} s; starting Kafka and PostgreSQL`);
  const program = bundleMember();
  const kafka = await startKafka();
  const folder = mkdtempSync(join(readProcessSettings().temporaryFolder, 'autoposter-rebalance-'));
  try {
    const postgres = await startEmbeddedPostgres();
    try {
      const result = await run(plan, { brokers: kafka.brokers, databaseUrl: await createDatabase(postgres, 'schema'), program, folder });
      if (result.failures.length === 0) rmSync(folder, { recursive: true, force: true });
      else tell(`what the members said: ${join(folder, 'members.log')}`);
      return result;
    } finally {
      await postgres.stop();
    }
  } finally {
    await kafka.stop();
  }
}

/** Members are killed, so they are processes with a program of their own. */
function bundleMember(): string {
  const made = spawnSync(process.execPath, ['tools/local/bundle.mjs', MEMBER], { cwd: ROOT, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`the member's program could not be bundled: ${made.stderr}`);
  return join(ROOT, made.stdout.trim());
}

interface Place {
  brokers: string[];
  databaseUrl: string;
  program: string;
  folder: string;
}

async function run(plan: Plan, { brokers, databaseUrl, program, folder }: Place): Promise<TrialResult> {
  const [startsFile, workRoot, logFile] = [join(folder, 'starts'), join(folder, 'work'), join(folder, 'members.log')];
  mkdirSync(workRoot);
  writeFileSync(startsFile, '');
  const database = await Database.connect({ url: databaseUrl, poolSize: 4, applicationName: 'trial' });
  const bus = new KafkaBus({ brokers, clientId: 'trial' });
  await bus.ensureTopics([topics.requested.dmca, topics.dead.dmca, topics.facts], [{ group: GROUP, topic: TOPIC }]);
  const random = new SeededRandom(plan.seed);
  const { leaseSeconds, sessionMs, slots } = plan;
  const crew = new Crew({ brokers, databaseUrl, startsFile, workRoot, leaseSeconds, sessionMs, slots }, program, logFile, random);
  const watch = new LagWatch({ lag: () => bus.lag(GROUP, TOPIC), unfinished: () => unfinished(database) });
  const relay = new OutboxRelay({ database, bus });
  relay.start();
  try {
    tell('starting the first members');
    await Promise.all(Array.from({ length: plan.members }, () => crew.join()));
    const began = performance.now();
    const jobIds = await askFor(plan, database, random);
    await until('all requests to be on the broker', async () => (await database.read.outbox.countUnsent()) === 0, 60_000);
    watch.start();
    await storm(plan, crew, database, began + plan.deadlineMs);
    const left = await unfinished(database);
    const workSeconds = Math.round((performance.now() - began) / 1000);
    tell(`${plan.jobs - left} of ${plan.jobs} jobs done after ${workSeconds} s; waiting for the lag`);
    await until('the lag to be 0', async () => (await bus.lag(GROUP, TOPIC)) === 0, LAG_ZERO_WITHIN_MS).catch(() => undefined);
    await watch.stop();
    return await report({ crew, watch, left, workSeconds, jobIds, startsFile, lagAtEnd: await bus.lag(GROUP, TOPIC) }, database);
  } finally {
    await watch.stop();
    await crew.dismiss();
    await relay.stop();
    await bus.close();
    await database.close();
  }
}

async function askFor(plan: Plan, database: Database, random: SeededRandom): Promise<string[]> {
  const jobIds: string[] = [];
  for (let n = 0; n < plan.jobs; n += 1) {
    const milliseconds = Math.round(plan.shortestMs + random.next() * (plan.longestMs - plan.shortestMs));
    await database.unitOfWork(async (uow) => {
      const sourceId = randomUUID().slice(0, 8);
      const originalUrl = `https://www.reddit.com/r/trial/comments/${sourceId}/`;
      const item = await uow.items.create({
        platform: 'reddit',
        sourceId,
        originalUrl,
        autoProcessStage: 'aiCaption',
        state: 'protecting',
      });
      if (item === null) throw new Error('this item exists');
      const ask = { subjectId: item.id, itemId: item.id, key: item.id, options: { milliseconds }, maxAttempts: 20, actor: 'trial' };
      const asked = await requestStage(uow, { stage: 'dmca', ...ask });
      if (!asked.accepted) throw new Error('the job was not accepted');
      jobIds.push(asked.job.id);
    });
  }
  return jobIds;
}

/** One joins and one leaves at each turn, until all jobs are done. */
async function storm(plan: Plan, crew: Crew, database: Database, deadline: number): Promise<void> {
  for (let turn = 1; performance.now() < deadline; turn += 1) {
    const next = performance.now() + plan.turnMs;
    while (performance.now() < next) {
      if ((await unfinished(database)) === 0) return;
      await pause(250);
    }
    crew.leaveOne();
    void crew.join();
    if (turn % 3 === 0)
      tell(`${await unfinished(database)} jobs unfinished, ${crew.present.length} members, ${crew.count('killed')} killed so far`);
  }
}

const unfinished = async (database: Database): Promise<number> =>
  (await database.read.jobs.counts()).filter(({ state }) => state !== 'dead').reduce((sum, { count }) => sum + count, 0);

interface Seen {
  crew: Crew;
  watch: LagWatch;
  left: number;
  workSeconds: number;
  jobIds: string[];
  startsFile: string;
  lagAtEnd: number;
}

async function report({ crew, watch, left, workSeconds, jobIds, startsFile, lagAtEnd }: Seen, database: Database): Promise<TrialResult> {
  const lines = readFileSync(startsFile, 'utf8').split('\n').filter(Boolean);
  const effects = await database.sql.query<{ subject: string }>('SELECT subject FROM audit_log WHERE action = $1', [EFFECT]);
  const completed = await database.sql.query<{ id: string }>(
    `SELECT j.id FROM event_history e JOIN stage_jobs j ON j.subject_id = e.subject_id WHERE e.type = 'dmca.completed'`,
  );
  const verdict = judge({
    jobIds,
    starts: lines.map((line) => JSON.parse(line) as Start),
    killedAt: new Map(crew.members.flatMap(({ name, killedAt }) => (killedAt === null ? [] : [[name, killedAt] as const]))),
    effects: effects.map((row) => row.subject),
    completed: completed.map((row) => row.id),
  });
  const failures = [...verdict.faults, ...crew.faults];
  if (left > 0) failures.push(`${left} jobs were not done in time`);
  if (lagAtEnd > 0) failures.push(`the lag is ${lagAtEnd} although nobody works any more`);
  for (const { lag, unfinished: open } of watch.tooLow.slice(0, 5)) failures.push(`the lag was ${lag} while ${open} jobs were unfinished`);
  if (watch.samples.length === 0) failures.push('the lag was never read');
  if (crew.count('killed') === 0 || crew.count('asked') === 0)
    failures.push('nobody was killed, or nobody left in peace: this shows nothing');
  const facts = {
    effectsPerJob: verdict.effectsPerJob.toFixed(3),
    starts: verdict.starts,
    restartedJobs: verdict.restarted,
    longestTakeoverMs: verdict.longestTakeoverMs,
    workSeconds,
    members: crew.count('joined'),
    killed: crew.count('killed'),
    askedToLeave: crew.count('asked'),
    lagSamples: watch.samples.length,
    lagSamplesRefused: watch.refused,
    lagTooLow: watch.tooLow.length,
    lagMostAbove: watch.mostAbove,
    lagAtEnd,
  };
  return { n: jobIds.length, failures, facts };
}
