import { allRoutes } from '@autoposter/contracts';
import { openApiDocument } from './openapi-document';

interface Operation {
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: { maximum?: number } }[];
  requestBody?: { content: { 'application/json': { schema: { properties: Record<string, { minimum?: number; default?: unknown }> } } } };
}

describe('the OpenAPI document', () => {
  const document = openApiDocument('https://x.example') as { paths: Record<string, Record<string, Operation>> };

  it('has every route of the table once', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
    expect(listed).toHaveLength(allRoutes.length);
    expect(listed).toContain('put /api/instagram-queue/{id}/priority');
  });

  it('carries the limits of the schemas', () => {
    const body = document.paths['/api/subreddits']?.['post']?.requestBody?.content['application/json'].schema.properties;
    expect(body?.['interval']).toMatchObject({ minimum: 5, maximum: 1440, default: 60 });
    const lines = document.paths['/api/logs/server-logs']?.['get']?.parameters[0];
    expect(lines).toMatchObject({ name: 'lines', in: 'query', required: false, schema: { maximum: 1000 } });
  });

  it('says which routes need a session', () => {
    expect(document.paths['/api/health']?.['get']?.security).toEqual([]);
    expect(document.paths['/api/downloads']?.['get']?.security).toEqual([{ bearer: [] }]);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});
