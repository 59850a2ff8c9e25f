import { mediaLinks } from './poster.tools';

const config = (cdnBaseUrl: string | null, graphUrl: string | null, link = [Buffer.from('a key for tests')]) =>
  ({ http: { cdnBaseUrl }, keys: { link }, instagram: { configured: true, graphUrl } }) as unknown as Parameters<typeof mediaLinks>[0];

it.each([
  ['https://media.autoposter.dev', null, true],
  ['https://media.autoposter.dev/', 'https://graph.instagram.com', true],
  [null, null, false],
  ['http://127.0.0.1:3000', null, false],
  ['http://127.0.0.1:3000', 'https://graph.facebook.com', false],
  ['http://minio:9000', 'https://graph.instagram.com', false],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:4001', true],
  ['http://gateway:3000', 'http://simulators:4001', true],
])('media at %s is in reach of the platform at %s: %s', (cdn, graph, reached) => {
  const links = mediaLinks(config(cdn, graph));
  expect(links.isPublic).toBe(reached);
  const now = new Date('2026-05-01T10:00:00Z');
  const expires = now.getTime() / 1000 + 26 * 3600;
  if (reached) expect(links.forMeta('processed/aa/aa.mp4', now)).toMatch(new RegExp(`^https?://[^/]+/media/${expires}/`, 'u'));
  else expect(() => links.forMeta('processed/aa/aa.mp4', now)).toThrow('no public address');
});

it('are not signed without a key', () => {
  expect(mediaLinks(config('https://media.autoposter.dev', null, [])).isPublic).toBe(false);
});
