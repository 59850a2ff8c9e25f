import { allRoutes, api, errorResponseSchema, IDEMPOTENCY_KEY, LIVE_EVENTS, type Route, type RouteAccess } from '@autoposter/contracts';
import { z } from 'zod';
import { acceptsIdempotencyKey } from '../http/api-route';

type Json = Record<string, unknown>;

/** A schema as JSON Schema; what was coerced or transformed is shown as it comes in (`input`) or goes out (`output`). */
const jsonOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return json;
};

const WHO: Record<RouteAccess, string> = {
  public: 'Open to everybody.',
  admin: 'For signed-in administrators.',
  media: 'For signed-in administrators, or with a signed query.',
  loopback: 'For signed-in administrators on the same machine.',
};

const BINARY = { schema: { type: 'string', format: 'binary' } };
const inParts = (what: string, ...types: string[]): Json => {
  const content = Object.fromEntries(types.map((type) => [type, BINARY]));
  return {
    '200': { description: what, content },
    '206': { description: 'A part, as `Range` asked for it', content },
    '304': { description: 'The copy with this entity tag still holds' },
    '416': { description: 'The file has no such part' },
  };
};

/** Answers that are no JSON. */
const OTHER_ANSWERS = new Map<Route, Json>([
  [api.auth.signIn, { '302': { description: 'To the sign-in' } }],
  [api.auth.callback, { '302': { description: 'To the console, or to where it is said why not' } }],
  [api.media.video, inParts('The file', 'video/mp4', 'image/*')],
  [api.media.cover, inParts('The picture', 'image/jpeg')],
  [
    api.live.events,
    { '200': { description: `Events ${LIVE_EVENTS.join(', ')}`, content: { 'text/event-stream': { schema: { type: 'string' } } } } },
  ],
]);

/** What cannot be read of the headers here counts as not said, except for the name of a call. */
const header = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});
const IDEMPOTENCY_HEADER = header(
  IDEMPOTENCY_KEY,
  'A name of your own for this call. Repeated under the same name within 24 hours it is not done again: the first answer comes back, ' +
    'with `Idempotent-Replayed: true`. 409 while the first is being worked on, 422 where the name stands for another request.',
  { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
);
const RANGE = header('Range', 'One range of bytes; several at once are answered with the whole file.');

/** Headers that a call listens to, beside those of every call. */
const HEADERS = new Map<Route, Json[]>([
  [api.media.video, [RANGE]],
  [api.media.cover, [RANGE]],
  [api.live.events, [header('Last-Event-ID', 'Number of the last event that was seen: what came after it comes first.')]],
]);

const SECURITY: Record<RouteAccess, Json[]> = {
  public: [],
  admin: [{ bearer: [] }],
  media: [{ bearer: [] }, {}],
  loopback: [{ bearer: [] }],
};

/** What any call may answer beside what is told of each. */
const FAILURES =
  'Any other failure: 400 malformed, 409 not in this state (the sentence says which), 413 too large, 422 outside of the limits, 429 too often ' +
  'and 503 not now (both with `Retry-After` where a time is known), 502 a provider failed.';

/** The HTTP API as an OpenAPI 3.1 document, made from the table of routes. */
export function openApiDocument(serverUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of allRoutes) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Autoposter', version: '1', description: 'Collects posts, makes them safe to use, captions and publishes them.' },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: jsonOf(errorResponseSchema, 'output') },
    },
  };
}

function operationOf(route: Route): Json {
  const [, , area] = route.path.split('/');
  const ok = route.response ? { content: { 'application/json': { schema: jsonOf(route.response, 'output') } } } : {};
  const body = route.body && jsonOf(route.body, 'input');
  const named = acceptsIdempotencyKey(route) ? [IDEMPOTENCY_HEADER] : [];
  return {
    tags: [area],
    summary: route.summary,
    description: WHO[route.access],
    security: SECURITY[route.access],
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query'), ...named, ...(HEADERS.get(route) ?? [])],
    // A body that is missing counts as an empty one.
    ...(body ? { requestBody: { required: 'required' in body, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      ...(OTHER_ANSWERS.get(route) ?? { '200': { description: 'Success', ...ok } }),
      ...(route.access === 'public' ? {} : { '401': failure('Nobody is signed in, or no longer') }),
      ...(route.access === 'loopback' ? { '403': failure('Not from this machine') } : {}),
      ...(route.params ? { '404': failure('There is nothing with this id') } : {}),
      default: failure(FAILURES),
    },
  };
}

const failure = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, json]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: json,
  }));
}
