import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PipelineError, type SourcePost } from '@autoposter/domain';
import { RedditClient } from '@autoposter/reddit';
import { ROOT, progress, type TrialResult } from '../trial';

/** Real responses of Reddit; outside of the repository, because they contain other people's posts. */
const FOLDER = path.resolve(ROOT, '../shared/recordings/reddit');

/**
 * Replays every recorded listing to the Reddit client and compares each post's type with the type that its raw fields require. Missing
 * posts, unexpected types and unknown combinations of fields are failures.
 */
export async function recordings(): Promise<TrialResult> {
  if (!existsSync(FOLDER)) {
    progress(`skipped: missing ${path.relative(ROOT, FOLDER)}`);
    return { n: 0, failures: [], facts: { skipped: 'no recordings' } };
  }
  const failures: string[] = [];
  const kinds: Record<string, number> = {};
  let n = 0;
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && !name.endsWith('.http.json'));
  for (const name of names.sort()) {
    const page: unknown = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
    const raw = postsIn(page);
    const found = Array.isArray(page) ? await resolveOne(page, raw[0]) : await listAll(page);
    const counts: Record<string, number> = {};
    for (const post of raw) {
      n += 1;
      const kind = found.get(String(post['id']).toLowerCase()) ?? 'lost';
      counts[kind] = (counts[kind] ?? 0) + 1;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      const expected = expectedOf(post, Array.isArray(page));
      if (expected === null) failures.push(`${name}: post ${post['id']} has an unknown combination of fields (${decidingFields(post)})`);
      else if (kind !== expected) failures.push(`${name}: post ${post['id']} has type ${kind}, its fields require ${expected}`);
    }
    if (raw.length === 0) failures.push(`${name}: contains no post`);
    progress(
      `${name}: ${Object.entries(counts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
    );
  }
  return { n, failures, facts: { files: names.length, kinds } };
}

/** A removed post is rejected when fetched individually; listings keep its type. */
const expectedOf = (post: RawPost, single: boolean): string | null =>
  single && post['removed_by_category'] ? 'removed' : kindByFields(post);

function postsIn(value: unknown): RawPost[] {
  if (Array.isArray(value)) return value.flatMap(postsIn);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as { kind?: unknown; data?: unknown };
  if (node.kind === 't3') return [node.data as RawPost];
  return Object.values(node).flatMap(postsIn);
}

async function listAll(page: unknown): Promise<Map<string, string>> {
  const posts = await clientReturning(page).listTop('recorded', 'day', 100);
  return new Map(posts.map((post) => [post.sourceId, kindOf(post)]));
}

async function resolveOne(page: unknown, raw: RawPost | undefined): Promise<Map<string, string>> {
  const id = String(raw?.['id'] ?? '');
  try {
    const { post } = await clientReturning(page).resolve(`https://www.reddit.com/comments/${id}/`);
    return new Map([[post.sourceId, kindOf(post)]]);
  } catch (error) {
    const removed = error instanceof PipelineError && ['not_found', 'rights_blocked'].includes(error.failure.kind);
    return new Map([[id, removed ? 'removed' : 'refused']]);
  }
}

/** A post must have either media or a reason why it cannot be fetched. */
const kindOf = (post: SourcePost): string => (post.media.length > 0 === (post.unfetchable === null) ? post.postType : 'unexplained');

const UNLIMITED = { take: () => Promise.resolve(), report: () => Promise.resolve(null) };

/** The real client with a replaced `fetch`. */
function clientReturning(page: unknown): RedditClient {
  const answer = (body: unknown): Response => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  return new RedditClient({
    authUrl: 'http://127.0.0.1:9',
    apiUrl: 'http://127.0.0.1:9',
    clientId: 'recorded',
    clientSecret: 'recorded',
    userAgent: 'linux:autoposter-trial:0.1.0 (by /u/autoposter_demo)',
    budget: UNLIMITED,
    tokenBudget: UNLIMITED,
    fetch: (url) =>
      Promise.resolve(
        String(url instanceof Request ? url.url : url).includes('access_token')
          ? answer({ access_token: 'recorded', token_type: 'bearer', expires_in: 86_400, scope: '*' })
          : answer(page),
      ),
  });
}

/** Expected post type by the relevant raw fields, joined to one key. */
const KIND_BY_FIELDS: Readonly<Record<string, string>> = {
  'is_video hosted:video v.redd.it media': 'video',
  'is_video v.redd.it media': 'video',
  'image i.redd.it': 'image',
  'is_gallery reddit.com gallery_data': 'gallery',
  'rich:video outside media': 'link',
  'link outside': 'link',
  'link v.redd.it crosspost': 'video',
  'is_self self': 'text',
};

type RawPost = Readonly<Record<string, unknown>>;

const hostWord = (domain: string): string => {
  if (['i.redd.it', 'v.redd.it', 'reddit.com', ''].includes(domain)) return domain;
  return domain.startsWith('self.') ? 'self' : 'outside';
};

export function decidingFields(post: RawPost): string {
  const words = [
    post['is_video'] ? 'is_video' : '',
    post['is_self'] ? 'is_self' : '',
    post['is_gallery'] ? 'is_gallery' : '',
    String(post['post_hint'] ?? '').replace(/^self$/u, ''),
    hostWord(String(post['domain'] ?? '')),
    post['media'] ? 'media' : '',
    post['gallery_data'] ? 'gallery_data' : '',
    Array.isArray(post['crosspost_parent_list']) ? 'crosspost' : '',
  ];
  return words.filter((word) => word !== '').join(' ');
}

/** The type according to the table; `null` for unknown combinations. */
export const kindByFields = (post: RawPost): string | null => KIND_BY_FIELDS[decidingFields(post)] ?? null;
