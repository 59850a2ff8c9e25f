import { errorResponseSchema } from '@autoposter/contracts';
import type { Request, Response } from 'express';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';
import { recordArrival, withTimeout } from './timeout.interceptor';

const RESPONSE_TIMEOUT_MS = 1500;

describeGateway('the response timeout', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start({ responseTimeoutMs: RESPONSE_TIMEOUT_MS })));
  afterAll(() => gateway?.stop());

  /** Requests the list of downloads while these tables are locked. */
  const askWhileLocked = (...tables: string[]) =>
    gateway.database.sql.transaction(async (tx) => {
      await tx.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
      return await gateway.call('get', '/api/downloads');
    });

  it.each([
    ['the answer', ['content_items'], /^This takes longer than 1\.5 seconds/u],
    ['the session', ['revoked_sessions'], /^The session could not be read in time/u],
  ])('ends a call whose database hangs at %s', async (_where, tables, sentence) => {
    const response = await askWhileLocked(...tables);
    expect([response.status, errorResponseSchema.parse(response.body).error]).toEqual([503, expect.stringMatching(sentence)]);
    expect((await gateway.call('get', '/api/downloads')).status).toBe(200);
  });

  it('counts from the arrival of the request, not from each guard', async () => {
    const { sql } = gateway.database;
    const now = performance.now.bind(performance);
    let skewMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + skewMs);
    const { asked } = await sql.transaction(async (items) => {
      await items.query('LOCK TABLE content_items IN ACCESS EXCLUSIVE MODE');
      const response = await sql.transaction(async (sessions) => {
        await sessions.query('LOCK TABLE revoked_sessions IN ACCESS EXCLUSIVE MODE');
        const call = gateway.call('get', '/api/downloads').then(({ status }) => status);
        await gateway.lockIsAwaited();
        skewMs = RESPONSE_TIMEOUT_MS;
        return { call };
      });
      // far less than a timeout that would begin anew after the session was read
      await gateway.lockIsAwaited();
      await items.query('SELECT pg_sleep(0.1)');
      return { asked: response.call };
    });
    clock.mockRestore();
    expect(await asked).toBe(503);
  });
});

describe('withTimeout', () => {
  afterEach(() => jest.useRealTimers());

  it('leaves half a second for the response to arrive before the client gives up', async () => {
    jest.useFakeTimers();
    const request = {} as Request;
    recordArrival(request, {} as Response, () => undefined);
    jest.advanceTimersByTime(600);
    const late = jest.fn(() => new Error('late'));
    const ended = withTimeout(request, RESPONSE_TIMEOUT_MS, new Promise(() => undefined), late).catch(String);
    jest.advanceTimersByTime(399);
    expect(late).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(await ended).toBe('Error: late');
  });
});
