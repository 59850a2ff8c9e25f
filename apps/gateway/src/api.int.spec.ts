import { allRoutes, errorResponseSchema, type Route } from '@autoposter/contracts';
import { v7 as uuidv7 } from 'uuid';
import { GatewayFixture, tokenOf } from './testing/gateway-fixture';
import { describeGateway } from './testing/gateway-fixture';

const pathOf = (route: Route) => route.path.replace(':id', uuidv7());
const verb = (route: Route) => route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';

describeGateway('API', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  it.each(allRoutes.filter((route) => route.access !== 'public').map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is closed to visitors: %s',
    async (_name, route) => {
      const response = await gateway.visitor[verb(route)](pathOf(route));
      expect(response.status).toBe(401);
      expect(errorResponseSchema.parse(response.body).requestId).toBe(response.headers['x-request-id']);
    },
  );

  it('refuses users who are not on the admin list', async () => {
    const stranger = await tokenOf('other@example.com');
    const old = await tokenOf('admin@example.com', new Date(Date.now() - 13 * 3_600_000));
    for (const token of [stranger, old, 'nonsense', `${gateway.token}x`]) {
      const response = await gateway.visitor.get('/api/downloads').set('Authorization', `Bearer ${token}`);
      expect(response.status).toBe(401);
    }
  });

  const readable = allRoutes.filter((route) => route.method === 'GET' && route.response && !route.params);
  it.each(readable.map((route) => [route.path, route] as const))('returns the documented shape: GET %s', async (_name, route) => {
    const response = await gateway.call('get', route.path);
    expect(response.status).toBe(200);
    expect(() => route.response?.parse(response.body)).not.toThrow();
  });

  const ofOne = allRoutes.filter((route) => route.params !== undefined && route.response !== undefined);
  const bodies: Record<string, object> = {
    '/api/ai/update-caption/:id': { caption: 'x' },
    '/api/subreddits/:id/auto-process-stage': { autoProcessStage: 'aiCaption' },
    '/api/instagram-queue/:id/priority': { priority: 3 },
    '/api/instagram-queue/:id/schedule': { scheduledFor: null },
    '/api/instagram-queue/:id/options': { collaborators: ['a.friend'] },
    '/api/instagram-queue/:id/settle': { outcome: 'absent' },
    '/api/rights/claims/:id/status': { status: 'disputed' },
    '/api/rights/claims/:id/allow': { kind: 'author', named: 'u/a_name', reason: 'Ours' },
    '/api/rights/notices/:id/answer': { answer: 'An answer' },
    '/api/rights/notices/:id/counter-notice': { receivedAt: '2026-05-04T10:00:00.000Z', sender: 'A sender', statement: 'It is mine.' },
    '/api/rights/notices/:id/close': { outcome: 'rejected' },
    '/api/rights/items/:id/originality': { mark: 'edited' },
    '/api/rights/permissions/:id/answer': { granted: true, answer: 'Yes' },
    '/api/rights/permissions/:id/revoke': { reason: 'Asked to stop' },
    '/api/instagram-accounts/:id/needs-permission': { needsPermission: true },
    '/api/subreddits/:id/needs-permission': { needsPermission: true },
    '/api/rights/cases/:id': { action: 'dismissed' },
  };
  it.each(ofOne.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'returns 404 for an unknown id: %s',
    async (_name, route) => {
      for (const id of [uuidv7(), 'not-an-id']) {
        const response = await gateway.call(verb(route), route.path.replace(':id', id), bodies[route.path]);
        expect([route.path, id.length, response.status]).toEqual([route.path, id.length, 404]);
        expect(errorResponseSchema.parse(response.body).success).toBe(false);
      }
    },
  );

  it('returns every error in one shape without a stack trace', async () => {
    const wrong = [
      [await gateway.call('get', '/api/nowhere'), 404],
      [await gateway.visitor.get('/api/nowhere'), 404],
      [await gateway.call('post', '/api/reddit/process').set('Content-Type', 'application/json').send('{broken'), 400],
      [await gateway.call('post', '/api/reddit/process', {}), 400],
      [await gateway.call('post', '/api/reddit/process', { url: 5 }), 400],
      [await gateway.call('post', '/api/reddit/process', { url: 'https://example.com/r/x' }), 422],
      [await gateway.call('post', '/api/reddit/process', { url: `https://${'x'.repeat(1_100_000)}` }), 413],
      [await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 29 }), 422],
      [await gateway.call('put', '/api/instagram-queue/interval', { intervalMinutes: 30, more: 1 }), 400],
      [await gateway.call('get', '/api/logs/server-logs?lines=5000'), 422],
    ] as const;
    for (const [response, status] of wrong) {
      expect([response.status, response.body.success]).toEqual([status, false]);
      expect(errorResponseSchema.parse(response.body).error).not.toMatch(/at \/|node_modules|Error:/);
    }
  });

  it('exposes only the specified health fields publicly', async () => {
    const { body } = await gateway.visitor.get('/api/health');
    expect(body).toEqual({ success: true, data: { status: 'healthy', database: 'connected', uptime: expect.any(Number) } });
    expect((await gateway.visitor.get('/healthz')).status).toBe(200);
  });

  it.each(['/readyz', '/metrics'])('does not serve %s on the public port', async (path) => {
    for (const asked of [path, `${path}/`, path.toUpperCase()]) expect((await gateway.visitor.get(asked)).status).toBe(404);
    expect((await gateway.visitor.get(path).set('X-Forwarded-For', '203.0.113.7')).status).toBe(404);
  });

  it('sets security headers', async () => {
    const { headers } = await gateway.visitor.get('/api/health');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-powered-by']).toBeUndefined();
  });
});
