import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, loadConfig, readProcessSettings } from '@autoposter/config';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem } from '@autoposter/persistence';
import { anItem, pollUntil, freePort, freshDatabase, type FreshDatabase, type PostgresServer, startPostgres } from '@autoposter/testkit';
import { bindStage, defineStage } from './define-stage';
import { defineStep, done } from './define-step';
import { requestStage } from './request-stage';
import { processName } from './systems';
import { SILENT_AFTER_SECONDS } from './worker-heartbeat';
import { WorkerHost, type WorkerHostOptions } from './worker-host';

const work = defineStep<ContentItem, string, { word: string }>({
  name: 'work',
  effect: 'read',
  run: (_item, { word }) => Promise.resolve(done(word)),
});

const ai = defineStage<ContentItem, readonly [typeof work]>({
  name: 'ai',
  limits: { timeoutMs: 10_000, slots: 2 },
  load: (uow, job) => uow.items.find(job.subjectId),
  steps: [work],
  commit: {
    async done(uow, { id, version, state }) {
      await uow.items.transition(id, { fromVersion: version, from: state, to: 'ready' });
    },
    skipped: () => Promise.resolve(),
    failed: () => Promise.resolve(),
  },
});

describe('WorkerHost', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let folder: string;
  let port: number;
  let host: WorkerHost | null = null;

  beforeAll(async () => {
    server = await startPostgres('embedded', { exclusive: true });
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    folder = await mkdtemp(join(readProcessSettings().temporaryFolder, 'autoposter-host-'));
    port = await freePort();
  });
  afterEach(async () => {
    await host?.stop();
    host = null;
    await fresh.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const configFor = (service: 'dmca-worker' | 'ai-worker', more: Record<string, string>): Config =>
    loadConfig(service, {
      DATABASE_URL: fresh.url,
      DATA_DIR: folder,
      METRICS_PORT: String(port),
      STAGE_LEASE_SECONDS: '5',
      DRAIN_SECONDS: '1',
      ...more,
    });

  const hostOf = (
    service: 'dmca-worker' | 'ai-worker',
    bindStages: WorkerHostOptions['bindStages'] = () => [bindStage(ai, { word: 'safe' })],
    more: Record<string, string> = {},
  ): WorkerHost => {
    host = new WorkerHost({ config: configFor(service, more), logger: silentLogger, bindStages, onStalled: () => undefined });
    return host;
  };

  const readiness = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    const { status: state, checks } = (await response.json()) as {
      status: string;
      checks: Record<string, { ok: boolean; detail: string }>;
    };
    return { status: response.status, state, checks };
  };

  const order = () =>
    fresh.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'captioning' });
      await requestStage(uow, { stage: 'ai', subjectId: item.id, itemId: item.id, key: item.id, actor: 'test' });
      return item;
    });

  it('runs jobs from the PostgreSQL bus and serves health and metrics', async () => {
    await hostOf('ai-worker').start();
    const item = await order();
    await pollUntil(async () => (await fresh.database.read.items.find(item.id))?.state === 'ready');
    const { status, checks } = await readiness();
    expect(status).toBe(200);
    expect(Object.keys(checks).sort()).toEqual(['bus', 'database', 'objects', 'stages']);
    await pollUntil(async () => (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes('pipeline_ai_runs_total'));
  });

  it('lists its heartbeat from start to shutdown, and forgets a silent worker after its time', async () => {
    const { heartbeats } = fresh.database.read;
    await heartbeats.beat('ai-worker@gone/1', ['ai'], 3600);
    // a dead container with the same name
    await heartbeats.beat(processName('ai-worker'), ['ai'], 3600);
    await fresh.database.sql.query("UPDATE workers SET seen_at = now() - interval '59 minutes', since = now() - interval '1 day'");
    await hostOf('ai-worker').start();
    const here = await pollUntil(async () => {
      const [one, gone] = [...(await heartbeats.list())].sort((a, b) => a.silentSeconds - b.silentSeconds);
      if (one === undefined || gone === undefined || one.silentSeconds > 60) throw new Error('it has not said so yet');
      return { one, gone };
    });
    expect(here.one).toMatchObject({ id: expect.stringMatching(/^ai-worker@.+\/\d+$/), stages: ['ai'] });
    expect(here.one.silentSeconds).toBeLessThan(SILENT_AFTER_SECONDS);
    expect(here.gone.silentSeconds).toBeGreaterThan(3500);
    await fresh.database.sql.query("UPDATE workers SET seen_at = now() - interval '61 minutes' WHERE id = 'ai-worker@gone/1'");
    await heartbeats.beat(here.one.id, ['ai'], 3600);
    expect((await heartbeats.list()).map(({ id }) => id)).toEqual([here.one.id]);
    const since = async () => (await heartbeats.list())[0]?.since.getTime() ?? 0;
    const started = await since();
    await heartbeats.beat(here.one.id, ['ai'], 3600);
    expect(await since()).toBe(started);
    expect(Date.now() - started).toBeLessThan(3_600_000);
    await host?.stop();
    host = null;
    expect(await heartbeats.list()).toEqual([]);
  });

  it('is alive but not ready while the database is unavailable, at start and later, and recovers automatically', async () => {
    await server.halt();
    const starting = hostOf('ai-worker').start();
    await pollUntil(async () => (await readiness()).checks.stages?.detail.includes('PostgreSQL cannot be reached'));
    expect((await readiness()).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await server.resume();
    await starting;
    expect((await readiness()).status).toBe(200);

    await server.halt();
    await pollUntil(async () => (await readiness()).status === 503);
    await server.resume();
    const item = await pollUntil(order);
    await pollUntil(async () => (await fresh.database.read.items.find(item.id))?.state === 'ready');
    await pollUntil(async () => (await readiness()).status === 200);
  });

  it('is ready and degraded while the object store is unavailable', async () => {
    const away = {
      OBJECT_STORE: 'minio',
      MINIO_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      MINIO_ACCESS_KEY: 'a',
      MINIO_SECRET_KEY: 'b',
    };
    await hostOf('ai-worker', undefined, away).start();
    expect(await readiness()).toMatchObject({ status: 200, state: 'degraded', checks: { database: { ok: true }, objects: { ok: false } } });
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toMatch(
      /pipeline_dependency_up\{[^}]*dependency="objects"[^}]*\} 0/,
    );
  });

  it('runs with a newer schema that is compatible with this version', async () => {
    await fresh.database.sql.query(`INSERT INTO schema_migrations (name) VALUES ('AddMoons9999999999999')`);
    await hostOf('ai-worker').start();
    expect((await readiness()).status).toBe(200);
  });

  it('waits for a missing schema', async () => {
    await fresh.database.sql.query('ALTER TABLE schema_migrations RENAME TO elsewhere');
    const starting = hostOf('ai-worker').start();
    await pollUntil(async () => (await readiness()).checks.stages?.detail.includes('run the migration'));
    await fresh.database.sql.query('ALTER TABLE elsewhere RENAME TO schema_migrations');
    await starting;
  });

  it('refuses to start with stages of another application', async () => {
    await expect(hostOf('dmca-worker').start()).rejects.toThrow(/ai does not belong to dmca-worker/);
  });

  it('stops while it still waits for its systems', async () => {
    await server.halt();
    const starting = hostOf('ai-worker').start();
    const outcome = starting.then(
      () => 'started',
      () => 'ended',
    );
    await pollUntil(async () => (await readiness()).status === 503);
    await host?.stop();
    host = null;
    expect(await outcome).toBe('ended');
    await server.resume();
  });
});
