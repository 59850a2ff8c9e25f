import { allRoutes, api, errorResponseSchema, IDEMPOTENCY_KEY, LIVE_EVENTS, type Route, type RouteAccess } from '@autoposter/contracts';
import { z } from 'zod';
import { acceptsIdempotencyKey } from '../http/api-route';

type Json = Record<string, unknown>;

/** Transformed values are described as received (`input`) or as returned (`output`). */
const jsonOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  return json;
};

const ACCESS_TEXT: Record<RouteAccess, string> = {
  public: 'Public.',
  admin: 'For signed-in administrators.',
  media: 'For signed-in administrators, or with a signed query.',
  loopback: 'For signed-in administrators on the same machine.',
};

const BINARY = { schema: { type: 'string', format: 'binary' } };
const inParts = (what: string, ...types: string[]): Json => {
  const content = Object.fromEntries(types.map((type) => [type, BINARY]));
  return {
    '200': { description: what, content },
    '206': { description: 'The requested range', content },
    '304': { description: 'The cached copy is current' },
    '416': { description: 'The range is not satisfiable' },
  };
};

/** Responses other than JSON. */
const OTHER_RESPONSES = new Map<Route, Json>([
  [api.auth.signIn, { '302': { description: 'Redirect to Google' } }],
  [api.auth.callback, { '302': { description: 'Redirect to the console, or to the page that explains the refusal' } }],
  [api.instagramAccounts.callback, { '302': { description: 'Redirect to Settings, which shows the result' } }],
  [api.media.video, inParts('The file', 'video/mp4', 'image/*')],
  [api.media.compared, inParts('The file', 'video/mp4', 'image/*')],
  [api.media.cover, inParts('The picture', 'image/jpeg')],
  [api.media.uploadedCover, inParts('The picture', 'image/jpeg')],
  [
    api.live.events,
    { '200': { description: `Events ${LIVE_EVENTS.join(', ')}`, content: { 'text/event-stream': { schema: { type: 'string' } } } } },
  ],
]);

/** A malformed header counts as missing, except `Idempotency-Key`. */
const header = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});
const IDEMPOTENCY_HEADER = header(
  IDEMPOTENCY_KEY,
  'A unique key chosen by the client. A repeated request with the same key within 24 hours is not executed again: it gets the first ' +
    'response, with `Idempotent-Replayed: true`. 409 while the first request is running, 422 if the key belongs to another request.',
  { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
);
const RANGE = header('Range', 'One byte range; a request for several ranges gets the whole file.');

/** Request headers of individual routes. */
const HEADERS = new Map<Route, Json[]>([
  [api.media.video, [RANGE]],
  [api.media.cover, [RANGE]],
  [api.media.uploadedCover, [RANGE]],
  [api.media.compared, [RANGE]],
  [api.live.events, [header('Last-Event-ID', 'Number of the last event that the client received; later events are replayed first.')]],
]);

const SECURITY: Record<RouteAccess, Json[]> = {
  public: [],
  admin: [{ bearer: [] }],
  media: [{ bearer: [] }, {}],
  loopback: [{ bearer: [] }],
};

const FAILURES =
  'Any error; `code` says which, for programs. 400 malformed, 409 wrong state (the message names it), 413 too large, 422 not acceptable, 429 too many requests and ' +
  '503 unavailable (both with `Retry-After` if a time is known), 502 failure of a provider.';

/** The HTTP API as an OpenAPI 3.1 document, generated from the route table. */
export function openApiDocument(serverUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of allRoutes) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Autoposter', version: '1', description: 'Collects posts, checks their rights, writes captions and publishes them.' },
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
    description: ACCESS_TEXT[route.access],
    security: SECURITY[route.access],
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query'), ...named, ...(HEADERS.get(route) ?? [])],
    // a missing body counts as an empty object
    ...(body ? { requestBody: { required: 'required' in body, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      ...(OTHER_RESPONSES.get(route) ?? { '200': { description: 'Success', ...ok } }),
      ...(route.access === 'public' ? {} : { '401': failure('Not signed in') }),
      ...(route.access === 'loopback' ? { '403': failure('Not sent from this machine') } : {}),
      ...(route.params ? { '404': failure('Unknown id') } : {}),
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
