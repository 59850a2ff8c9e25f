import { Health, type HealthCheck } from './health';
import { HealthServer } from './health-server';
import { createMetrics } from './metrics';

describe('HealthServer', () => {
  let database: () => Promise<HealthCheck>;
  let bus: () => Promise<HealthCheck>;
  let health: Health;
  let server: HealthServer;
  let base: string;
  const metrics = createMetrics('test');

  beforeEach(async () => {
    database = () => Promise.resolve({ ok: true, detail: 'PostgreSQL answers.' });
    bus = () => Promise.resolve({ ok: true, detail: 'Kafka answers.' });
    const checks = { database: () => database(), bus: () => bus() };
    health = new Health({ checks, needs: ['database'], checkTimeoutMs: 100 });
    server = new HealthServer({ port: 0, health, metrics: () => metrics.text() });
    base = `http://127.0.0.1:${await server.listen()}`;
  });
  afterEach(() => server.close());

  const ready = async () => {
    const response = await fetch(`${base}/readyz`);
    return { status: response.status, body: (await response.json()) as unknown };
  };

  it('is ready and names each dependency', async () => {
    expect(await ready()).toEqual({
      status: 200,
      body: {
        status: 'ready',
        checks: { database: { ok: true, detail: 'PostgreSQL answers.' }, bus: { ok: true, detail: 'Kafka answers.' } },
      },
    });
  });

  it.each([
    ['says so', () => Promise.resolve({ ok: false, detail: 'Away.' }), 'Away.'],
    ['throws', () => Promise.reject(new Error('Broken.')), 'Broken.'],
    ['hangs', () => new Promise<HealthCheck>(() => undefined), 'No answer within 100 ms.'],
  ])('is alive but not ready when the check of the database %s', async (_how, check, detail) => {
    database = check;
    expect(await ready()).toMatchObject({ status: 503, body: { status: 'not ready', checks: { database: { ok: false, detail } } } });
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  it.each([
    ['reports a failure', () => Promise.resolve({ ok: false, detail: 'Away.' })],
    ['throws', () => Promise.reject(new Error('Broken.'))],
    ['hangs', () => new Promise<HealthCheck>(() => undefined)],
  ])('stays ready, degraded, when the check of the bus %s', async (_how, check) => {
    bus = check;
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { database: { ok: true }, bus: { ok: false } } },
    });
    expect(await health.readiness(0)).toMatchObject({ ready: true });
  });

  it('counts each dependency and the degraded state in its metrics', async () => {
    const own = createMetrics('test');
    health.record(own);
    bus = () => Promise.resolve({ ok: false, detail: 'Away.' });
    const text = await own.text();
    expect(text).toMatch(/pipeline_dependency_up\{[^}]*dependency="database"[^}]*\} 1/);
    expect(text).toMatch(/pipeline_dependency_up\{[^}]*dependency="bus"[^}]*\} 0/);
    expect(text).toMatch(/pipeline_degraded(\{[^}]*\})? 1/);
  });

  it('runs one round of checks for all callers within the time that a result is reused', async () => {
    let calls = 0;
    const checks = { database: () => Promise.resolve({ ok: (calls += 1) > 0, detail: '' }) };
    const now = jest.spyOn(performance, 'now').mockReturnValue(5_000);
    const reused = new Health({ checks, needs: ['database'] });
    await Promise.all([reused.readiness(), reused.readiness()]);
    now.mockReturnValue(5_999);
    await reused.readiness();
    expect(calls).toBe(1);
    now.mockReturnValue(6_000);
    await reused.readiness();
    expect(calls).toBe(2);
    now.mockRestore();
  });

  it('is not ready while it drains', async () => {
    health.drain();
    expect(await ready()).toMatchObject({ status: 503, body: { status: 'draining' } });
  });

  it('serves metrics as text', async () => {
    metrics.counter('pipeline_dmca_runs_total', 'Ended runs').add(2, { outcome: 'done' });
    metrics.gauge('pipeline_dmca_running_jobs', 'Running', () => 3);
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toMatch(/pipeline_dmca_runs_total\{[^}]*outcome="done"[^}]*\} 2/);
    expect(text).toMatch(/pipeline_dmca_running_jobs(\{[^}]*\})? 3/);
    expect((await fetch(`${base}/else`)).status).toBe(404);
  });
});
