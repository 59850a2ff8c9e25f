import { HealthServer, type HealthCheck } from './health-server';
import { createMetrics } from './metrics';

describe('HealthServer', () => {
  let database: () => Promise<HealthCheck>;
  let server: HealthServer;
  let base: string;
  const metrics = createMetrics('test');

  beforeEach(async () => {
    database = () => Promise.resolve({ ok: true, detail: 'PostgreSQL answers.' });
    server = new HealthServer({ port: 0, checks: { database: () => database() }, metrics: () => metrics.text(), checkTimeoutMs: 100 });
    base = `http://127.0.0.1:${await server.listen()}`;
  });
  afterEach(() => server.close());

  const ready = async () => {
    const response = await fetch(`${base}/readyz`);
    return { status: response.status, body: (await response.json()) as unknown };
  };

  it('is ready when each dependency is, and names them', async () => {
    expect(await ready()).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: { ok: true, detail: 'PostgreSQL answers.' } } },
    });
  });

  it.each([
    ['says so', () => Promise.resolve({ ok: false, detail: 'Away.' }), 'Away.'],
    ['throws', () => Promise.reject(new Error('Broken.')), 'Broken.'],
    ['hangs', () => new Promise<HealthCheck>(() => undefined), 'No answer within 100 ms.'],
  ])('is alive but not ready when a check %s', async (_how, check, detail) => {
    database = check;
    expect(await ready()).toEqual({ status: 503, body: { status: 'not ready', checks: { database: { ok: false, detail } } } });
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  it('is not ready while it drains', async () => {
    server.drain();
    expect(await ready()).toMatchObject({ status: 503, body: { status: 'draining' } });
  });

  it('tells metrics as text', async () => {
    metrics.counter('pipeline_dmca_runs_total', 'Ended runs').add(2, { outcome: 'done' });
    metrics.gauge('pipeline_dmca_running_jobs', 'Running', () => 3);
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toMatch(/pipeline_dmca_runs_total\{[^}]*outcome="done"[^}]*\} 2/);
    expect(text).toMatch(/pipeline_dmca_running_jobs(\{[^}]*\})? 3/);
    expect((await fetch(`${base}/else`)).status).toBe(404);
  });
});
