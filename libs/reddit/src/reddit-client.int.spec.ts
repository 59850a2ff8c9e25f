import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PipelineError } from '@autoposter/domain';
import { MemoryBudget } from './memory-budget.fake';
import { RedditClient } from './reddit-client';

/** The simulated Reddit of the demo, loaded by path: the library does not depend on the tool that imitates its counterpart. */
interface Simulators {
  urls: { REDDIT_AUTH_URL: string; REDDIT_API_URL: string; MEDIA_ORIGIN: string };
  credentials: Record<string, string>;
  controlUrl: string;
  close(): Promise<void>;
}
interface PostFacts {
  id: string;
  key: string | null;
  subreddit: string;
  permalink: string;
  shareLink: string;
}

let simulators: Simulators;
let dataDir: string;
let posts: PostFacts[];
beforeAll(async () => {
  const { startSimulators } = (await import(path.resolve(__dirname, '../../../tools/simulators/src/index'))) as {
    startSimulators(options: { dataDir: string; ffmpegPath: string }): Promise<Simulators>;
  };
  dataDir = await mkdtemp(path.join(tmpdir(), 'reddit-client-'));
  simulators = await startSimulators({ dataDir, ffmpegPath: 'ffmpeg' });
  posts = (await (await fetch(`${simulators.controlUrl}/control/posts`)).json()) as PostFacts[];
});
afterAll(async () => {
  await simulators.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(() => control('/control/reset'));

const client = () =>
  new RedditClient({
    budget: new MemoryBudget(),
    tokenBudget: new MemoryBudget(),
    authUrl: simulators.urls.REDDIT_AUTH_URL,
    apiUrl: simulators.urls.REDDIT_API_URL,
    clientId: simulators.credentials['REDDIT_CLIENT_ID'] ?? '',
    clientSecret: simulators.credentials['REDDIT_CLIENT_SECRET'] ?? '',
    userAgent: simulators.credentials['REDDIT_USER_AGENT'] ?? '',
  });
const control = async (where: string, body: unknown = {}) => {
  const response = await fetch(`${simulators.controlUrl}${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
};
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: PipelineError) => error.failure.kind,
  );
const postOf = (key: string): PostFacts => {
  const found = posts.find((post) => post.key === key);
  if (!found) throw new Error(`no simulated post ${key}`);
  return found;
};

const KINDS: Readonly<Record<string, readonly [postType: string, files: number]>> = {
  portrait: ['video', 1],
  silent: ['video', 1],
  'gif-video': ['video', 1],
  processing: ['video', 0],
  'naming-2017': ['video', 1],
  image: ['image', 1],
  gif: ['video', 1],
  gallery: ['gallery', 3],
  'crosspost-video': ['video', 1],
  'crosspost-gallery': ['gallery', 3],
  'crosspost-image': ['image', 1],
  'crosspost-text': ['text', 0],
  'crosspost-removed': ['video', 0],
  youtube: ['link', 0],
  imgur: ['video', 1],
  'imgur-plain': ['video', 1],
  link: ['link', 0],
  text: ['text', 0],
  poll: ['other', 0],
  nsfw: ['video', 1],
};

test('a listing holds one post of every kind, each classified, with media on the simulated hosts', async () => {
  const listed = await client().listTop('everykind', 'day', 100);
  const byId = new Map(listed.map((post) => [post.sourceId, post]));
  const found = Object.fromEntries(Object.keys(KINDS).map((key) => [key, byId.get(postOf(key).id)]));
  expect(Object.fromEntries(Object.entries(found).map(([key, post]) => [key, [post?.postType, post?.media.length]]))).toEqual(KINDS);
  expect(found['nsfw']?.nsfw).toBe(true);
  expect(found['silent']?.media[0]?.audioUrl).toBeNull();
  expect(found['portrait']?.media[0]).toMatchObject({ audioUrl: expect.any(String) as string, manifestUrl: expect.any(String) as string });
  expect(found['portrait']?.media[0]?.url).toContain(simulators.urls.MEDIA_ORIGIN);
  expect(listed.every((post) => post.media.length > 0 === (post.unfetchable === null))).toBe(true);
});

test.each([
  ['privateplace', 'upstream_rejected'],
  ['quarantinedplace', 'upstream_rejected'],
  ['gatedplace', 'upstream_rejected'],
  ['membersplace', 'upstream_rejected'],
  ['bannedplace', 'not_found'],
  ['no_such_place', 'not_found'],
  ['emptyplace', 'none'],
])('r/%s: %s', async (name, kind) => expect(await kindOf(client().listTop(name, 'day', 10))).toBe(kind));

test('a post is resolved by its address and by its share link, with comments', async () => {
  const target = postOf('many-comments');
  const direct = await client().resolve(target.permalink);
  const shared = await client().resolve(target.shareLink);
  expect(direct.post.sourceId).toBe(target.id);
  expect(shared.post.sourceId).toBe(target.id);
  expect(direct.topComments.length).toBeGreaterThan(0);
  expect(direct.topComments.length).toBeLessThanOrEqual(20);
  expect(direct.topComments.every((comment) => !/automoderator|\[deleted\]/i.test(comment.author))).toBe(true);
});

test.each([
  ['removed-moderator', 'not_found'],
  ['removed-deleted', 'not_found'],
  ['removed-copyright_takedown', 'rights_blocked'],
  ['removed-legal_operations', 'rights_blocked'],
  ['processing', 'transient'],
])('%s is refused as %s', async (key, kind) => expect(await kindOf(client().resolve(postOf(key).permalink))).toBe(kind));

test('a revoked token is renewed without a word', async () => {
  const one = client();
  await one.listTop('aww', 'day', 5);
  await control('/control/tokens', { system: 'reddit' });
  await expect(one.listTop('aww', 'day', 5)).resolves.not.toHaveLength(0);
});

test.each([
  [{ status: 429, headers: { 'retry-after': '4' }, body: '<html>' }, 'rate_limited'],
  [{ status: 500, body: '' }, 'transient'],
  [{ status: 403, headers: { 'content-type': 'text/html' }, body: '<html>blocked</html>' }, 'not_authorised'],
  [{ cut: true }, 'transient'],
])('fault %j', async (fault, kind) => {
  await control('/control/faults', { match: { system: 'reddit-api' }, ...fault });
  expect(await kindOf(client().listTop('aww', 'day', 5))).toBe(kind);
});
