import { allRoutes, errorResponseSchema, type Route, type RouteAccess } from '@autoposter/contracts';
import { z } from 'zod';

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
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body ? { requestBody: { content: { 'application/json': { schema: jsonOf(route.body, 'input') } } } } : {}),
    responses: { '200': { description: 'Success', ...ok }, default: error },
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
