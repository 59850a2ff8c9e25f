import { allRoutes } from '@autoposter/contracts';
import { openApiDocument } from './openapi-document';

interface Operation {
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: { maximum?: number } }[];
  responses: Record<string, { description: string }>;
  requestBody?: {
    required: boolean;
    content: { 'application/json': { schema: { properties: Record<string, { minimum?: number; default?: unknown }> } } };
  };
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

  it('says which calls a signed query opens as well', () => {
    expect(document.paths['/api/media/video/{id}']?.['get']?.security).toEqual([{ bearer: [] }, {}]);
  });

  it('asks for a body where an empty one would be refused, and only there', () => {
    const required = (path: string, method: string) => document.paths[path]?.[method]?.requestBody?.required;
    expect([required('/api/subreddits', 'post'), required('/api/instagram-queue/{id}/priority', 'put')]).toEqual([true, true]);
    expect([required('/api/dmca/process-all', 'post'), required('/api/instagram-queue/{id}', 'post')]).toEqual([false, false]);
  });

  it.each([
    ['/api/events', 'Last-Event-ID'],
    ['/api/media/video/{id}', 'Range'],
    ['/api/media/cover/{id}', 'Range'],
  ])('names the header that a call listens to: %s, %s', (path, name) => {
    expect(document.paths[path]?.['get']?.parameters).toContainEqual(expect.objectContaining({ name, in: 'header', required: false }));
  });

  it('says what each call answers with: content, or a redirect', () => {
    const answers = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ responses }) => ({ path, ...responses['200'], redirects: '302' in responses })),
    );
    expect(answers.filter((answer) => !('content' in answer) && !answer.redirects)).toEqual([]);
    expect(answers.filter(({ redirects }) => redirects).map(({ path }) => path)).toContain('/api/instagram-accounts/callback');
  });

  it('says which refusals are to be expected of a call', () => {
    const statuses = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {});
    expect(statuses('/api/health', 'get')).toEqual(['200', 'default']);
    expect(statuses('/api/ai/discard/{id}', 'put')).toEqual(['200', '401', '404', 'default']);
    expect(statuses('/api/logs/browser-logs', 'post')).toEqual(['200', '401', '403', 'default']);
    expect(statuses('/api/media/video/{id}', 'get')).toEqual(['200', '206', '304', '401', '404', '416', 'default']);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});
