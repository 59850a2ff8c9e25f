import { allRoutes } from '@autoposter/contracts';
import { openApiDocument } from './openapi-document';
import { openApiPage } from './openapi-page';

describe('the page of the API', () => {
  const page = openApiPage(openApiDocument('https://x.example'));

  it('has every call with its limits', () => {
    for (const { method, path } of allRoutes) expect(page).toContain(`>${method}</b> <code>${path.replace(/:(\w+)/gu, '{$1}')}</code>`);
    expect(page).toMatch(/<code>filters\.maxAge<\/code><\/td><td>integer<\/td><td>optional<\/td><td>at least 1, at most 168, default 24</u);
    expect(page).toContain('Idempotency-Key');
  });

  it('runs nothing and fetches nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|\son\w+=|https?:\/\/(?!x\.example)|@import|url\(/iu);
  });

  it('shows text as text', () => {
    const operation = { tags: ['a"b'], summary: '<script>alert(1)</script>', description: '&', parameters: [], responses: {} };
    const shown = openApiPage({ info: { title: '<b>', description: '' }, paths: { '/<i>': { get: operation } } });
    expect(shown).not.toMatch(/<script>|<i>|<title><b>/u);
    expect(shown).toContain('&lt;script&gt;');
  });
});
