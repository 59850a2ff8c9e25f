import { HealthService } from './health.service';

describe('the health of the gateway', () => {
  let now = 0;
  let asked = 0;
  let ok = true;
  const checks = {
    database: async () => {
      asked += 1;
      return { ok, detail: 'It was asked.' };
    },
    bus: async () => ({ ok: true, detail: 'It is there.' }),
  };
  beforeEach(() => {
    [now, asked, ok] = [5_000, 0, true];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is looked up once for all who ask at a time', async () => {
    const health = new HealthService(checks);
    const told = await Promise.all([health.summary(), health.summary(), health.readiness()]);
    expect(told).toMatchObject([{ status: 'healthy', database: 'connected' }, { status: 'healthy' }, { ready: true }]);
    expect(asked).toBe(1);
  });

  it('is looked up anew after a second', async () => {
    const health = new HealthService(checks);
    await health.summary();
    ok = false;
    now += 999;
    expect(await health.summary()).toMatchObject({ status: 'healthy' });
    now += 1;
    expect(await health.summary()).toMatchObject({ status: 'unhealthy', database: 'disconnected' });
    expect(await health.readiness()).toMatchObject({ ready: false, checks: { database: { ok: false } } });
    expect(asked).toBe(2);
  });

  it('is not ready on its way out, whatever the checks say', async () => {
    const health = new HealthService(checks);
    expect((await health.readiness()).ready).toBe(true);
    health.beforeApplicationShutdown();
    expect(await health.readiness()).toMatchObject({ ready: false, status: 'draining' });
  });
});
