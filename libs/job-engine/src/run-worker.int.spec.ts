import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import type { StageJob } from '@autoposter/persistence';
import { anItem, pollUntil, freePort, freshDatabase, type FreshDatabase, type PostgresServer, startPostgres } from '@autoposter/testkit';
import { fireDue, requestStage } from './request-stage';

const ROOT = resolve(__dirname, '../../..');
const SOURCE = 'libs/job-engine/src/testing/failing-worker.ts';
const PROGRAM = join(ROOT, 'dist/libs/job-engine/failing-worker.cjs');

describe('an uncaught error in a worker', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let folder: string;
  let worker: ChildProcess | null = null;
  let output: string;

  beforeAll(async () => {
    const bundled = spawnSync(process.execPath, ['tools/local/bundle.mjs', SOURCE], { cwd: ROOT, encoding: 'utf8' });
    if (bundled.status !== 0) throw new Error(bundled.stderr);
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    folder = await mkdtemp(join(readProcessSettings().temporaryFolder, 'autoposter-fatal-'));
    output = '';
  });
  afterEach(async () => {
    if (worker !== null && worker.exitCode === null && worker.signalCode === null) {
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    worker = null;
    await fresh.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const order = (title: string) =>
    fresh.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'captioning', title });
      const asked = await requestStage(uow, { stage: 'ai', subjectId: item.id, itemId: item.id, key: item.id, actor: 'test' });
      if (!asked.accepted) throw new Error('not accepted');
      return asked.job;
    });

  const job = async ({ id }: StageJob): Promise<StageJob> => {
    const found = await fresh.database.read.jobs.find(id);
    if (found === null) throw new Error('no such job');
    return found;
  };

  async function start(): Promise<{ exited: Promise<number | null> }> {
    worker = spawn(process.execPath, [PROGRAM], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: '/usr/bin:/bin',
        DATABASE_URL: fresh.url,
        EVENT_BUS: 'postgres',
        DATA_DIR: folder,
        METRICS_PORT: String(await freePort()),
        DRAIN_SECONDS: '3',
        STAGE_LEASE_SECONDS: '60',
        STAGE_RETRY_SECONDS: '3600',
      },
    });
    for (const stream of [worker.stdout, worker.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    return { exited: once(worker, 'exit').then(([code]) => code as number | null) };
  }

  it.each([
    ['throws in a callback', 'uncaughtException', 'an assertion in a socket handler'],
    ['rejects unobserved', 'unhandledRejection', 'a rejection that nothing handles'],
  ])('of a job that %s fails that job alone; the process drains, says why and exits with code 1', async (title, event, reason) => {
    const [faulty, short, long] = [await order(title), await order('is short'), await order('is long')];
    const { exited } = await start();
    expect(await exited).toBe(1);

    expect(await job(faulty)).toMatchObject({
      state: 'retrying',
      attempts: 1,
      leaseOwner: null,
      failure: { kind: 'internal', side: 'ours' },
    });
    expect(await job(short)).toMatchObject({ state: 'done', attempts: 1 });
    // released with all its attempts, claimable at once
    const released = await job(long);
    expect(released).toMatchObject({ state: 'requested', requestNumber: 2, attempts: 0, leaseOwner: null, failure: null });
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; msg: string; event?: string; error?: { message?: string } });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', event, error: expect.objectContaining({ message: reason, stack: expect.any(String) }) }),
    );
    expect(lines.map(({ msg }) => msg)).toContain('stopped');
  });

  it('while it drains after a stop signal begins no second drain, and the exit code is 1', async () => {
    const faulty = await order('throws when it is stopped');
    const { exited } = await start();
    await pollUntil(async () => (await job(faulty)).state === 'running');
    worker?.kill('SIGTERM');
    expect(await exited).toBe(1);
    const texts = output.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { msg: string }).msg));
    expect(texts).toContain('fatal error; the process drains and ends');
    expect(texts.filter((text) => ['draining', 'stopped'].includes(text))).toEqual(['draining', 'stopped']);
    expect(await job(faulty)).toMatchObject({ leaseOwner: null });
  });

  it('ends its job as dead after all attempts while other jobs complete', async () => {
    const faulty = await order('throws in a callback');
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { exited } = await start();
      expect(await exited).toBe(1);
      expect(await job(faulty)).toMatchObject({ attempts: attempt, state: attempt === 3 ? 'dead' : 'retrying' });
      await fresh.database.sql.query("UPDATE stage_jobs SET due_at = now() - interval '1 second' WHERE id = $1 AND state = 'retrying'", [
        faulty.id,
      ]);
      await fresh.database.unitOfWork((uow) => fireDue(uow));
    }
    const short = await order('is short');
    const { exited } = await start();
    await pollUntil(async () => (await job(short)).state === 'done');
    worker?.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
