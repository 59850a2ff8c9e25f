import { Health } from '@autoposter/observability';
import { HealthService } from './health.service';

describe('HealthService', () => {
  const summary = (database: boolean, bus: boolean) => {
    const check = (ok: boolean) => () => Promise.resolve({ ok, detail: 'Checked.' });
    const health = new Health({ checks: { database: check(database), bus: check(bus) }, needs: ['database'] });
    return new HealthService(health).summary();
  };

  it.each([
    [true, true, 'healthy', 'connected'],
    [true, false, 'degraded', 'connected'],
    [false, true, 'unhealthy', 'disconnected'],
  ])('reports database %s and bus %s as %s', async (database, bus, status, connection) => {
    expect(await summary(database, bus)).toEqual({ status, database: connection, uptime: expect.any(Number) });
  });

  it('makes the process not ready when the application shuts down', async () => {
    const health = new Health({ checks: {}, needs: [] });
    expect((await health.readiness()).ready).toBe(true);
    new HealthService(health).beforeApplicationShutdown();
    expect(await health.readiness()).toMatchObject({ ready: false, status: 'draining' });
  });
});
