import { allRoutes, errorResponseSchema, type Route } from '@autoposter/contracts';
import { v7 as uuidv7 } from 'uuid';
import { describeGateway } from '../testing/gateway-fixture';
import { GatewayFixture } from '../testing/gateway-fixture';
import { BODY_BYTES, parseJson } from './body.guard';

const DEEP = 10_000;
const MAX_ANSWER = 6_000;
const deepArray = '['.repeat(DEEP) + ']'.repeat(DEEP);
const deepObject = '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP);
const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`unknown_key_${n}`, n])));

/** Made once, because that takes longer than sending them. */
const MOST_KEYS = keys(80_000);

const verb = (route: Route) => route.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete';
const named = (routes: readonly Route[]) => routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const writing = allRoutes.filter(({ method }) => method !== 'GET');
/** Files are read as streams, with limits of their own. */
const ofBodies = writing.filter(({ uploadBytes }) => uploadBytes === undefined);
const withBody = allRoutes.filter(({ body }) => body !== undefined);

describeGateway('request bodies', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start({ rateLimits: false })));
  afterAll(() => gateway?.stop());

  const send = (route: Route, text: string | Buffer, token: string | null = gateway.token) => {
    const request = gateway.visitor[verb(route)](route.path.replace(':id', uuidv7())).set('Content-Type', 'application/json');
    if (token !== null) request.set('Authorization', `Bearer ${token}`);
    return request.serialize((given) => given as never).send(text as never);
  };

  it('covers every route that takes a body', () => {
    expect(withBody.length).toBeGreaterThanOrEqual(15);
    expect(withBody.filter((route) => !writing.includes(route))).toEqual([]);
  });

  it('answers an unknown route and a malformed URL with a sentence of our own', async () => {
    const get = async (path: string) => {
      const { status, body } = await gateway.call('get', path);
      return [status, errorResponseSchema.parse(body).error];
    };
    expect(await get('/api/nowhere')).toEqual([404, 'Not found.']);
    expect(await get('/api/content/%FF')).toEqual([400, 'The URL contains a malformed % sequence.']);
  });

  it.each(named(withBody))('refuses deep nesting with 400 and a short sentence: %s', async (_name, route) => {
    for (const text of [deepArray, deepObject, `{"filters":${deepArray}}`]) {
      const { status, body, text: answer } = await send(route, text);
      const { error } = errorResponseSchema.parse(body);
      expect([status, answer.length < MAX_ANSWER]).toEqual([400, true]);
      expect(error).toContain('nested more than');
    }
  });

  it.each(named(withBody))('lists only some of many unknown keys: %s', async (_name, route) => {
    for (const [given, statuses] of [
      [keys(200), [400]],
      [keys(2_000), [400]],
      [MOST_KEYS, [400, 413]],
    ] as const) {
      const { status, body, text } = await send(route, given);
      expect(statuses).toContain(status);
      const lengths = [given.length, text.length < MAX_ANSWER, errorResponseSchema.parse(body).error.length <= 1_000];
      expect(lengths).toEqual([given.length, true, true]);
    }
    const longNames = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}${'x'.repeat(3_000)}`, 1])));
    expect((await send(route, longNames)).text.length).toBeLessThan(MAX_ANSWER);
  });

  it.each(named(ofBodies))('refuses a body above the limit of the route: %s', async (_name, route) => {
    const limit = route.maxBodyBytes ?? BODY_BYTES;
    const { status, body } = await send(route, `{"noSuchField":"${'x'.repeat(limit)}"}`);
    expect([status, body.error]).toEqual([413, `The request body must have at most ${limit / 1024} KB.`]);
  });

  it.each(named(writing))('authenticates before it reads the body: %s', async (_name, route) => {
    for (const text of ['{broken', deepArray, MOST_KEYS]) {
      expect([text.slice(0, 10), (await send(route, text, null)).status]).toEqual([text.slice(0, 10), 401]);
    }
  });

  it('accepts the longest batch of browser logs', async () => {
    const entry = { level: 'info', message: '😀'.repeat(2_000), source: 'x'.repeat(500), timestamp: '2026-05-05T10:00:00Z' };
    const response = await gateway.call('post', '/api/logs/browser-logs', { batch: true, logs: Array.from({ length: 100 }, () => entry) });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  });

  it.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', ''])('refuses JSON that is sent as "%s"', async (type) => {
    const sent = gateway.call('post', '/api/reddit/process').set('Content-Type', type);
    const { status, body } = await sent.serialize((given) => given as never).send('{"urls":[]}' as never);
    expect([status, body.error]).toEqual([415, 'The request body must be JSON, with the header "Content-Type: application/json".']);
  });

  it('ignores a body where none is expected, whatever its type', async () => {
    const sent = gateway.call('post', '/api/scheduler/start').set('Content-Type', 'text/plain');
    expect((await sent.serialize((given) => given as never).send('now' as never)).status).toBe(200);
  });

  it('refuses invalid UTF-8 and a compressed body', async () => {
    const route = withBody[0]!;
    expect((await send(route, Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]))).status).toBe(400);
    const compressed = gateway.call('post', '/api/reddit/process').set('Content-Type', 'application/json').set('Content-Encoding', 'gzip');
    expect((await compressed.serialize((given) => given as never).send('{}' as never)).status).toBe(415);
  });
});

describe('parseJson', () => {
  it('ignores brackets, commas and colons inside strings', () => {
    const text = '[[[{"\\"'.repeat(3_000);
    expect(parseJson(JSON.stringify({ text, other: ',:'.repeat(2_000) }))).toEqual({ text, other: ',:'.repeat(2_000) });
  });

  it.each(['5', '"text"', 'null', 'true', '{"a":1}{', '[', '"\\', '{"a":"'])('refuses %s', (text) => {
    expect(() => parseJson(text)).toThrow(/request body/u);
  });

  it('treats an empty text as an empty object', () => {
    expect(parseJson(' \n')).toEqual({});
  });
});
