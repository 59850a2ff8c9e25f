import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PipelineError, type SourcePost } from '@autoposter/domain';
import { RedditClient } from '@autoposter/reddit';
import { ROOT, tell, type TrialResult } from '../trial';
import { decidingFields, kindByFields, type RawPost } from './kind-by-fields';

/** Real answers of Reddit, kept beside the project: they hold other people's posts. */
const FOLDER = path.resolve(ROOT, '../shared/recordings/reddit');

/**
 * Plays every recorded listing to the Reddit client and compares each post's kind with what its own fields say. A post that is lost on
 * the way, a kind that nobody expected and a combination of fields that the table does not know are failures.
 */
export async function recordings(): Promise<TrialResult> {
  if (!existsSync(FOLDER)) {
    tell(`skipped: there is no ${path.relative(ROOT, FOLDER)}`);
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
      if (expected === null) failures.push(`${name}: post ${post['id']} has fields nobody decided about (${decidingFields(post)})`);
      else if (kind !== expected) failures.push(`${name}: post ${post['id']} came out as ${kind}, its fields say ${expected}`);
    }
    if (raw.length === 0) failures.push(`${name}: holds no post`);
    tell(
      `${name}: ${Object.entries(counts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
    );
  }
  return { n, failures, facts: { files: names.length, kinds } };
}

/** A single removed post is refused; in a list it keeps its kind. */
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
  const posts = await clientAnswering(page).listTop('recorded', 'day', 100);
  return new Map(posts.map((post) => [post.sourceId, kindOf(post)]));
}

async function resolveOne(page: unknown, raw: RawPost | undefined): Promise<Map<string, string>> {
  const id = String(raw?.['id'] ?? '');
  try {
    const { post } = await clientAnswering(page).resolve(`https://www.reddit.com/comments/${id}/`);
    return new Map([[post.sourceId, kindOf(post)]]);
  } catch (error) {
    const removed = error instanceof PipelineError && ['not_found', 'rights_blocked'].includes(error.failure.kind);
    return new Map([[id, removed ? 'removed' : 'refused']]);
  }
}

/** Something to fetch, or a reason why not: one without the other would be a post that nobody can explain. */
const kindOf = (post: SourcePost): string => (post.media.length > 0 === (post.unfetchable === null) ? post.postType : 'unexplained');

const UNLIMITED = { take: () => Promise.resolve(), report: () => Promise.resolve(null) };

/** The real client; only the wire is replaced. */
function clientAnswering(page: unknown): RedditClient {
  const answer = (body: unknown): Response => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  return new RedditClient({
    authUrl: 'http://127.0.0.1:9',
    apiUrl: 'http://127.0.0.1:9',
    clientId: 'recorded',
    clientSecret: 'recorded',
    userAgent: 'linux:autoposter-trial:0.1.0 (by /u/nobody)',
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
