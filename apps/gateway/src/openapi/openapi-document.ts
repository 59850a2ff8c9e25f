import { allRoutes, api, errorResponseSchema, IDEMPOTENCY_KEY, LIVE_EVENTS, type Route, type RouteAccess } from '@autoposter/contracts';
import { z } from 'zod';
import { mayBeNamed } from '../http/may-be-named';

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

const MEDIA = { schema: { type: 'string', format: 'binary' } };

/** Answers that are no JSON. */
const OTHER_ANSWERS = new Map<Route, Json>([
  [api.auth.signIn, { '302': { description: 'To the sign-in' } }],
  [api.auth.callback, { '302': { description: 'To the console, or to where it is said why not' } }],
  [
    api.media.video,
    { '200': { description: 'The file', content: { 'video/mp4': MEDIA, 'image/*': MEDIA } }, '206': { description: 'A part' } },
  ],
  [api.media.cover, { '200': { description: 'The picture', content: { 'image/jpeg': MEDIA } }, '206': { description: 'A part' } }],
  [
    api.live.events,
    { '200': { description: `Events ${LIVE_EVENTS.join(', ')}`, content: { 'text/event-stream': { schema: { type: 'string' } } } } },
  ],
]);

const NAMED_CALL: Json = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'A name of your own for this call. Repeated under the same name within 24 hours it is not done again: the first answer comes back, ' +
    'with `Idempotent-Replayed: true`. 409 while the first is being worked on, 422 where the name stands for another request.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

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
  const error = { description: 'Failure', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  return {
    tags: [area],
    summary: route.summary,
    description: WHO[route.access],
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query'), ...(mayBeNamed(route) ? [NAMED_CALL] : [])],
    ...(route.body ? { requestBody: { content: { 'application/json': { schema: jsonOf(route.body, 'input') } } } } : {}),
    responses: { ...(OTHER_ANSWERS.get(route) ?? { '200': { description: 'Success', ...ok } }), default: error },
  };
}

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
