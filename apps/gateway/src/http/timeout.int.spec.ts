import { errorResponseSchema } from '@autoposter/contracts';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

jest.setTimeout(60_000);

const ANSWER_WITHIN_MS = 1500;

describeGateway('the response timeout', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start({ responseTimeoutMs: ANSWER_WITHIN_MS })));
  afterAll(() => gateway?.stop());

  /** Requests the list of downloads while these tables are locked. */
  const askWhileLocked = (...tables: string[]) =>
    gateway.database.sql.transaction(async (tx) => {
      await tx.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
      const begun = performance.now();
      const response = await gateway.call('get', '/api/downloads');
      return { response, tookMs: performance.now() - begun };
    });

  it.each([
    ['the answer', ['content_items'], /^This takes longer than 1\.5 seconds/u],
    ['the session', ['revoked_sessions'], /^The session could not be read in time/u],
  ])('ends a call whose database hangs at %s', async (_where, tables, sentence) => {
    const { response, tookMs } = await askWhileLocked(...tables);
    expect([response.status, errorResponseSchema.parse(response.body).error]).toEqual([503, expect.stringMatching(sentence)]);
    expect(tookMs).toBeLessThan(ANSWER_WITHIN_MS);
    expect((await gateway.call('get', '/api/downloads')).status).toBe(200);
  });

  it('counts from the arrival of the request, not from each guard', async () => {
    const { sql } = gateway.database;
    const asked = sql.transaction(async (items) => {
      await items.query('LOCK TABLE content_items IN ACCESS EXCLUSIVE MODE');
      const begun = performance.now();
      let response: Promise<{ status: number }> | undefined;
      await sql.transaction(async (sessions) => {
        await sessions.query('LOCK TABLE revoked_sessions IN ACCESS EXCLUSIVE MODE');
        response = gateway.call('get', '/api/downloads').then((answer) => answer);
        await sessions.query('SELECT pg_sleep(0.6)');
      });
      return { status: (await response)?.status, tookMs: performance.now() - begun };
    });
    const { status, tookMs } = await asked;
    expect(status).toBe(503);
    expect(tookMs).toBeLessThan(ANSWER_WITHIN_MS);
  });
});
