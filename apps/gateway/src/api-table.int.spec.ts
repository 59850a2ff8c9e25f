import { allRoutes, errorResponseSchema, type Route } from '@autoposter/contracts';
import type { Response } from 'supertest';
import { v7 as uuidv7 } from 'uuid';
import { openApiDocument } from './docs/openapi-document';
import { request, keyOf, validInput, rowOf, type CallInput } from './testing/api-table/rows';
import { HOSTILE, limitCases, textFields, withField, type Schema } from './testing/api-table/limit-cases';
import { ROWS } from './testing/api-table/rows';
import { describeGateway } from './testing/gateway-fixture';
import { GatewayFixture, tokenOf } from './testing/gateway-fixture';

/** Keeps both the gateway and the database busy. */
const CALLS_AT_ONCE = 4;

interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

const { paths } = openApiDocument('http://127.0.0.1') as { paths: Record<string, Record<string, Operation>> };
const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/gu, ':$1')}`),
);
const operationOf = (route: Route): Operation => paths[route.path.replace(/:(\w+)/gu, '{$1}')]?.[route.method.toLowerCase()] as Operation;
const bodySchemaOf = (route: Route): Schema => operationOf(route).requestBody?.content['application/json'].schema ?? {};
const querySchemaOf = (route: Route): Schema => {
  const asked = operationOf(route).parameters.filter(({ in: place }) => place === 'query');
  return {
    properties: Object.fromEntries(asked.map(({ name, schema }) => [name, schema])),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
  };
};

const named = (routes: readonly Route[]) => routes.map((route) => [keyOf(route), route] as const);
const withId = allRoutes.filter((route) => route.path.includes(':id'));

/** What is wrong with a refusal: its status, or words that do not tell what was wrong. `null` where nothing is. */
function flawOf(response: Response, statuses: readonly number[], says: readonly string[] = []): string | null {
  if (!statuses.includes(response.status)) return `answers ${response.status}, not ${statuses.join(' or ')}: ${response.text}`;
  const { error } = errorResponseSchema.parse(response.body);
  if (!/^(?:\S.* .*\.|Invalid URLs \(.*)$/su.test(error) || /node_modules|\bat \S+:\d+|Error:|undefined|\[object/u.test(error))
    return `no sentence: ${error}`;
  const missing = says.filter((word) => !error.includes(word));
  return missing.length === 0 ? null : `does not name ${missing.join(', ')}: ${error}`;
}

describeGateway('every API route', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start({ rateLimits: false, hasPublicAddress: true })));
  afterAll(() => gateway?.stop());

  const right = async (route: Route, change: CallInput = {}): Promise<Response> => {
    const row = rowOf(route);
    const about = await row.about?.(gateway);
    const token = row.ownSession ? await tokenOf('admin@example.com') : gateway.token;
    const body = await row.bodyAbout?.(gateway);
    return request(gateway, route, { ...validInput(route), ...(body && { body }), id: about, token, ...change });
  };

  it('has a row in the table, and every row a route', () => {
    expect(documented.sort()).toEqual(Object.keys(ROWS).sort());
    expect(withId.filter((route) => rowOf(route).about === undefined).map(keyOf)).toEqual([]);
  });

  const answering = allRoutes.filter((route) => !rowOf(route).endless);
  const checked = answering.filter((route) => (route.body ?? route.query) && !rowOf(route).page);
  it.each(named(answering))('returns its documented shape: %s', async (_name, route) => {
    const response = await right(route);
    expect([response.status, response.status === (rowOf(route).status ?? 200) ? '' : response.text]).toEqual([
      rowOf(route).status ?? 200,
      '',
    ]);
    if (route.response) expect(route.response.safeParse(response.body).error).toBeUndefined();
  });

  it.each(named(allRoutes.filter(({ access }) => access !== 'public')))('refuses a request without a token: %s', async (_name, route) => {
    const id = uuidv7();
    for (const token of [null, 'x', `${gateway.token}x`]) {
      expect(flawOf(await request(gateway, route, { ...validInput(route), id, token }), [401])).toBeNull();
    }
  });

  it.each(named(withId))('returns 404 for an unknown id: %s', async (_name, route) => {
    for (const id of [uuidv7(), '0', 'not-an-id', '%27%20OR%201%3D1--', '%2e%2e%2fadmin', '%F0%9F%98%80', 'x'.repeat(3000)]) {
      const response = await request(gateway, route, { ...validInput(route), id });
      expect([id.slice(0, 40), flawOf(response, [404])]).toEqual([id.slice(0, 40), null]);
    }
    // cut-off and overlong sequences of bytes, U+0000
    for (const id of ['%', '%C0%AF', '%00']) {
      const response = await request(gateway, route, { ...validInput(route), id });
      expect([id, flawOf(response, [400, 404])]).toEqual([id, null]);
    }
  });

  const stateful = allRoutes.filter((route) => rowOf(route).wrongState !== undefined && withId.includes(route));
  it.each(named(stateful))('refuses a wrong state and names it: %s', async (_name, route) => {
    const { about, says } = rowOf(route).wrongState!;
    const response = await request(gateway, route, { ...validInput(route), id: await about(gateway) });
    expect(flawOf(response, [409])).toBeNull();
    expect(response.body.error).toMatch(says);
  });

  it.each(named(checked))('accepts values at each limit and refuses values beyond: %s', async (_name, route) => {
    const flaws: string[] = [];
    const places = [
      { place: 'body' as const, cases: limitCases(bodySchemaOf(route), false) },
      { place: 'query' as const, cases: limitCases(querySchemaOf(route), true) },
    ];
    for (const { place, cases } of places) {
      for (const { name, field, value, expected, says } of cases) {
        const given = validInput(route)[place] ?? {};
        const change = { [place]: withField(given, field, value) };
        // What is refused is refused before anybody looks for what it is about.
        const response =
          expected === 'refused'
            ? await request(gateway, route, { ...validInput(route), id: uuidv7(), ...change })
            : await right(route, change);
        const fine = expected !== 'refused' && response.status === (rowOf(route).status ?? 200);

        const within = expected === 'perhaps' ? [400, 422] : [];
        const statuses = expected === 'refused' ? [400, 422] : [200, ...within, ...(rowOf(route).alsoAnswers ?? [])];
        const flaw = fine ? null : flawOf(response, statuses, expected === 'refused' ? says : []);
        if (flaw !== null) flaws.push(`${place} ${name}: ${flaw}`);
      }
    }
    expect(flaws).toEqual([]);
  });

  it.each(named(allRoutes.filter(({ body }) => body !== undefined)))(
    'takes no other field and no other shape: %s',
    async (_name, route) => {
      const id = uuidv7();
      const more = await request(gateway, route, { body: { ...validInput(route).body, noSuchField: 1 }, id });
      expect(flawOf(more, [400], ['noSuchField'])).toBeNull();
      const path = route.path.replace(':id', id);
      const verb = route.method.toLowerCase() as 'post';
      for (const text of ['{broken', '[]', '"text"', '5', 'null', '{"a":1}{']) {
        const response = await gateway.call(verb, path).set('Content-Type', 'application/json').send(text);
        expect([text, flawOf(response, text === 'null' ? [400, 404, 422] : [400])]).toEqual([text, null]);
      }
    },
  );

  it.each(named(allRoutes.filter(({ method, uploadBytes }) => method !== 'GET' && uploadBytes === undefined)))(
    'refuses a huge body: %s',
    async (_name, route) => {
      const response = await request(gateway, route, { body: { text: 'x'.repeat(1_100_000) }, id: uuidv7() });
      expect(flawOf(response, [413])).toBeNull();
    },
  );

  it.each(named(checked))('handles hostile text without a server error: %s', async (_name, route) => {
    const flaws: string[] = [];
    for (const [place, schema] of [
      ['body', bodySchemaOf(route)],
      ['query', querySchemaOf(route)],
    ] as const) {
      for (const field of textFields(schema)) {
        const send = async (text: string): Promise<void> => {
          const response = await right(route, { [place]: withField(validInput(route)[place] ?? {}, field, text) });
          if (response.status === (rowOf(route).status ?? 200)) return;
          const flaw = flawOf(response, [400, 404, 409, 422]);
          if (flaw !== null) flaws.push(`${field} = ${JSON.stringify(text).slice(0, 40)}: ${flaw}`);
        };
        for (let at = 0; at < HOSTILE.length; at += CALLS_AT_ONCE) await Promise.all(HOSTILE.slice(at, at + CALLS_AT_ONCE).map(send));
      }
    }
    expect(flaws).toEqual([]);
    const response = await request(gateway, route, {
      ...validInput(route),
      id: uuidv7(),
      query: { '__proto__[x]': '1', 'a[b][c]': '2', page: '' },
    });
    expect(response.status).toBeLessThan(500);
  });
});
