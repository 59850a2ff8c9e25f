import { errorResponseSchema, LIMITS } from '@autoposter/contracts';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture, tokenOf } from '../testing/gateway-fixture';

const AT_A_TIME = 25;
const POLLS = [LIMITS.polling.queueStatusMs, LIMITS.polling.queueStatisticsMs, LIMITS.polling.logsMs];
/** Tabs of one person that a minute of polls has to be enough for. */
const TABS = 20;

describeGateway('rate limits', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  /** Keeps its connections, so that thousands of requests take seconds. */
  const get = async (path: string, token: string) => {
    const answer = await fetch(gateway.address + path, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it('allow twenty polling tabs and limit a loop without affecting other sessions', async () => {
    const perMinute = TABS * POLLS.reduce((sum, everyMs) => sum + 60_000 / everyMs, 0);
    const ask = () => get('/api/skipped-posts/reasons', gateway.token);
    let asked = 0;
    for (; asked < perMinute; asked += AT_A_TIME) {
      const answers = await Promise.all(Array.from({ length: AT_A_TIME }, ask));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
    const left = (await ask()).headers;
    expect([left.get('x-ratelimit-limit'), Number(left.get('x-ratelimit-remaining'))]).toEqual(['3000', 3000 - asked - 1]);
    let refused = await ask();
    for (; refused.status === 200 && asked < 10_000; asked += AT_A_TIME) {
      const answers = await Promise.all(Array.from({ length: AT_A_TIME }, ask));
      refused = answers.find(({ status }) => status !== 200) ?? refused;
    }
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(errorResponseSchema.parse(JSON.parse(refused.text)).error).toMatch(/^Too many requests.*\.$/u);
    const other = await tokenOf('admin@example.com');
    expect((await gateway.visitor.get('/api/downloads').set('Authorization', `Bearer ${other}`)).status).toBe(200);
    expect((await gateway.call('get', '/api/health')).status).toBe(200);
  });

  it('limit guessed tokens, but not sessions from the same address', async () => {
    const statuses = new Set<number>();
    for (let asked = 0; !statuses.has(429) && asked < 10_000; asked += AT_A_TIME) {
      const answers = await Promise.all(
        Array.from({ length: AT_A_TIME }, (_, n) => get('/api/skipped-posts/statistics', `guess-${asked + n}`)),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([401, 429]);
    const signedIn = await tokenOf('admin@example.com');
    expect((await gateway.visitor.get('/api/skipped-posts/statistics').set('Authorization', `Bearer ${signedIn}`)).status).toBe(200);
  });
});
