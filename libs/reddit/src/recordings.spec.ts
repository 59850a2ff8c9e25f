import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { objectIn } from '@autoposter/domain';
import { classifyPost } from './classify-post';
import { readDashManifest } from './dash';
import { topComments } from './top-comments';

/**
 * Real answers of Reddit, kept outside the project (they hold other people's posts). Where the folder is absent the suite says so and
 * passes nothing off as checked.
 */
const folder = path.resolve(__dirname, '../../../../shared/recordings/reddit');
const present = existsSync(folder);
if (!present) process.stdout.write(`recordings of Reddit skipped: ${folder} is not there\n`);
const load = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

/** The raw fields that decide, spelled as one key, and the kind that they must lead to. */
const KIND_BY_FIELDS: Readonly<Record<string, string>> = {
  'is_video hosted:video v.redd.it media': 'video',
  'image i.redd.it': 'image',
  'is_gallery reddit.com gallery_data': 'gallery',
  'rich:video outside media': 'link',
  'link outside': 'link',
  'link v.redd.it crosspost': 'video',
  'is_self self.*': 'text',
};

/** How many posts of each kind a recording holds, counted by hand from the raw fields. */
const COUNTS: Readonly<Record<string, Record<string, number>>> = {
  'comments-tree-2025.json': { text: 1 },
  'crossposts-video-2020.json': { video: 4 },
  'galleries-2026.json': { gallery: 4 },
  'listing-popular-hot-2026-page.json': { video: 6, image: 16, gallery: 6, link: 2 },
  'removed-moderator-2020-comments-page.json': { text: 1 },
  'videos-2026.json': { video: 13 },
};

const domainWord = (domain: string): string => {
  if (['i.redd.it', 'v.redd.it', 'reddit.com', ''].includes(domain)) return domain;
  return domain.startsWith('self.') ? 'self.*' : 'outside';
};

const key = (post: Record<string, unknown>): string =>
  [
    post['is_video'] ? 'is_video' : '',
    post['is_self'] ? 'is_self' : '',
    post['is_gallery'] ? 'is_gallery' : '',
    post['post_hint'],
    domainWord(String(post['domain'])),
    post['media'] ? 'media' : '',
    post['gallery_data'] ? 'gallery_data' : '',
    Array.isArray(post['crosspost_parent_list']) ? 'crosspost' : '',
  ]
    .filter((word) => word)
    .join(' ');

function rawPosts(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(rawPosts);
  const node = objectIn(value);
  if (node['kind'] === 't3') return [objectIn(node['data'])];
  return Object.values(node).flatMap(rawPosts);
}

(present ? describe : describe.skip)('recorded answers of Reddit', () => {
  const listings = present ? readdirSync(folder).filter((name) => name.endsWith('.json') && !name.includes('.http.')) : [];

  test('every listing is in the table', () => expect(listings.sort()).toEqual(Object.keys(COUNTS).sort()));

  test.each(listings)('%s: each post gets the kind that its own fields name', (name) => {
    const counts: Record<string, number> = {};
    for (const raw of rawPosts(load(name))) {
      const found = classifyPost(raw);
      expect({ fields: key(raw), kind: found?.post.postType }).toEqual({ fields: key(raw), kind: KIND_BY_FIELDS[key(raw)] });
      counts[found?.post.postType ?? 'unread'] = (counts[found?.post.postType ?? 'unread'] ?? 0) + 1;
    }
    expect(counts).toEqual(COUNTS[name]);
  });

  test.each(listings)('%s: fetchable posts have absolute addresses, the others a reason', (name) => {
    for (const raw of rawPosts(load(name))) {
      const post = classifyPost(raw)?.post;
      expect(post?.sourceId).toBe(raw['id']);
      expect(post?.permalink).toMatch(/^https:\/\/www\.reddit\.com\/(?:r|user)\//);
      expect((post?.media.length ?? 0) > 0).toBe(post?.unfetchable === null);
      for (const item of post?.media ?? []) expect(item.url).toMatch(/^https:\/\/[a-z.-]+\.redd\.it\/[^\s]+$/);
    }
  });

  test('hosted videos name manifest, size and sound', () => {
    for (const raw of rawPosts(load('videos-2026.json'))) {
      const video = objectIn(objectIn(raw['secure_media'])['reddit_video']);
      const [item] = classifyPost(raw)?.post.media ?? [];
      expect(item).toMatchObject({ kind: 'video', width: video['width'], height: video['height'], manifestUrl: video['dash_url'] });
      expect(item?.audioUrl === null).toBe(video['has_audio'] === false || video['is_gif'] === true);
    }
  });

  test('a crosspost credits the author of the origin and keeps its own id', () => {
    for (const raw of rawPosts(load('crossposts-video-2020.json'))) {
      const [parent] = raw['crosspost_parent_list'] as Record<string, unknown>[];
      expect(classifyPost(raw)?.post).toMatchObject({ sourceId: raw['id'], author: parent?.['author'], title: raw['title'] });
    }
  });

  test('galleries keep their order', () => {
    for (const raw of rawPosts(load('galleries-2026.json'))) {
      const ids = (objectIn(raw['gallery_data'])['items'] as { media_id: string }[]).map((item) => item.media_id);
      const urls = classifyPost(raw)?.post.media.map((item) => item.url) ?? [];
      expect(urls.map((url) => new URL(url).pathname.slice(1).split('.')[0])).toEqual(ids);
    }
  });

  test('a post removed by a moderator is told from a live one', () => {
    const [raw] = rawPosts(load('removed-moderator-2020-comments-page.json'));
    expect(classifyPost(raw)).toMatchObject({ removedBy: 'moderator', post: { removed: true, media: [] } });
  });

  test('the recorded comment tree counts its replies', () => {
    const pages = load('comments-tree-2025.json') as unknown[];
    const [top] = topComments(pages[1]);
    expect(top?.body).toBe('Test comment');
    expect(top?.replies).toBeGreaterThan(0);
  });

  test('manifests give the best video first and sound only where there is some', () => {
    const mpd = path.join(folder, 'mpd');
    const tracks = readdirSync(mpd).map((name) =>
      readDashManifest(readFileSync(path.join(mpd, name), 'utf8'), `https://v.redd.it/abc/DASHPlaylist.mpd?a=1`),
    );
    expect(tracks.map((track) => track.audio.length).sort()).toEqual([0, 2, 2, 2]);
    for (const track of tracks) {
      const rates = track.video.map((video) => video.bandwidth);
      expect(rates).toEqual([...rates].sort((a, b) => b - a));
      expect(track.video[0]?.url).toMatch(/^https:\/\/v\.redd\.it\/abc\/(?:DASH|CMAF)_\d+\.mp4$/);
    }
  });
});
