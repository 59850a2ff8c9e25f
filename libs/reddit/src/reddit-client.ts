import type { TimePeriod } from '@autoposter/contracts';
import {
  parseSourceUrl,
  PipelineError,
  type BudgetAsk,
  type PostSource,
  type RequestBudget,
  type SourceAddress,
  type SourceComment,
  type SourcePost,
  type SubredditSource,
  cutText,
} from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { AppToken, type TokenSettings } from './app-token';
import { classifyPost, type ClassifiedPost } from './classify-post';
import { exchange, type Answer, type ExchangeLimits } from './exchange';
import { withinBudget } from './rate-limit';
import { listingSchema } from './raw-post';
import { refusalOf } from './refusals';
import { resolveLocation } from './share-link';
import { topComments } from './top-comments';

export interface RedditClientOptions extends TokenSettings {
  /** Origin of the OAuth API, without a path. `authUrl` is the www origin (token, share links). */
  apiUrl: string;
  /** What the requests to the API and those for tokens take from; Reddit counts the two apart. */
  budget: RequestBudget;
  tokenBudget: RequestBudget;
  fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  logger?: Logger;
  /** Per request; 10 s and 8 MiB unless given. */
  timeoutMs?: number;
  maxBytes?: number;
}

const PAGE = 100;
const SUBREDDIT = /^(?:u_)?[A-Za-z0-9][A-Za-z0-9_-]{1,20}$/;

/**
 * Reads Reddit through its OAuth API with an app-only token. Makes one request at a time per call and never retries by itself, but for
 * one new token after a 401; failures carry the kind that tells whether and when to come back.
 */
export class RedditClient implements SubredditSource, PostSource {
  private readonly fetchFn: typeof fetch;
  private readonly limits: ExchangeLimits;
  private readonly token: AppToken;
  private readonly authUrl: string;
  private readonly apiUrl: string;

  constructor(private readonly options: RedditClientOptions) {
    this.fetchFn = options.fetch ?? fetch;
    const now = options.now ?? (() => performance.now());
    this.limits = { timeoutMs: options.timeoutMs ?? 10_000, maxBytes: options.maxBytes ?? 8 * 1024 * 1024 };
    this.authUrl = withoutSlash(options.authUrl);
    this.apiUrl = withoutSlash(options.apiUrl);
    this.token = new AppToken({ ...options, authUrl: this.authUrl }, this.fetchFn, now, this.limits, options.tokenBudget);
  }

  /**
   * Top posts of a subreddit in Reddit's order, at most `limit` (1–100, cut to it). Removed posts are not in listings; a post that
   * cannot be read is left out and logged. Throws `not_found`, `upstream_rejected`, `rate_limited`, `transient`, `not_authorised`.
   */
  async listTop(subreddit: string, period: TimePeriod, limit: number, forPerson = false): Promise<SourcePost[]> {
    const name = subreddit.trim().replace(/^\/?r\//i, '');
    if (!SUBREDDIT.test(name)) throw invalid(`"${cutText(subreddit, 40)}" is no name of a subreddit.`);
    const wanted = Math.min(Math.max(Math.trunc(limit), 1), PAGE);
    const answer = await this.get(`/r/${name}/top`, { t: period, limit: String(wanted), show: 'all' }, forPerson);
    return this.readListing(answer.json)
      .map((found) => found.post)
      .slice(0, wanted);
  }

  /**
   * One post by its address (every form, share links included) with its best comments. Throws `not_found` for a removed or unknown
   * post, `rights_blocked` after a copyright takedown, `transient` with `pending` in its details while Reddit still processes the video. A live post without a
   * file of its own comes back with `unfetchable` set.
   */
  async resolve(url: string, forPerson = false): Promise<{ post: SourcePost; topComments: SourceComment[] }> {
    const id = await this.idOf(url, forPerson);
    const answer = await this.get(`/comments/${id}`, { sort: 'top', limit: '200', depth: '3' }, forPerson);
    const pages: unknown[] = Array.isArray(answer.json) ? answer.json : [];
    const found = this.readListing(pages[0])[0];
    if (!found) throw gone('not_found', 'Reddit has no such post.', { postId: id });
    refuseUnusable(found);
    return { post: found.post, topComments: topComments(pages[1]) };
  }

  /**
   * Tells which of these posts (at most 100 ids without prefix) are gone from Reddit by now, deleted or removed; whoever keeps content
   * of Reddit has to follow. A post that Reddit no longer names is gone as well.
   */
  async removedAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    if (ids.length > PAGE || !ids.every((id) => /^[a-z0-9]+$/i.test(id))) throw invalid('At most 100 ids of posts can be checked at once.');
    const answer = await this.get('/api/info', { id: ids.map((id) => `t3_${id.toLowerCase()}`).join(',') }, false);
    const alive = new Set(
      this.readListing(answer.json)
        .filter((found) => !found.post.removed)
        .map((found) => found.post.sourceId),
    );
    return new Set(ids.filter((id) => !alive.has(id.toLowerCase())));
  }

  private async idOf(url: string, forPerson: boolean): Promise<string> {
    const address = parseSourceUrl(url);
    if (address?.platform !== 'reddit') throw invalid('This is no address of a Reddit post.');
    if (address.sourceId) return address.sourceId;
    if (address.kind === 'image') return this.postOf(address.canonicalUrl, forPerson);
    if (address.kind === 'video') return this.postOfVideo(address, forPerson);
    if (address.lookupPath) return this.lookUp(address, forPerson);
    throw invalid('This address leads to a page of Reddit, not to a post.');
  }

  /** The www origin redirects to the post; where it refuses servers, the API tells the post by the media's own address. */
  private async postOfVideo(address: SourceAddress, forPerson: boolean): Promise<string> {
    try {
      return await this.lookUp(address, forPerson);
    } catch (error) {
      const isRefused = error instanceof PipelineError && ['upstream_rejected', 'not_found'].includes(error.failure.kind);
      if (!isRefused) throw error;
      return this.postOf(address.canonicalUrl, forPerson);
    }
  }

  /** The oldest post with this media address that is no crosspost. */
  private async postOf(mediaUrl: string, forPerson: boolean): Promise<string> {
    const answer = await this.get('/api/info', { url: mediaUrl }, forPerson);
    const posts = this.readListing(answer.json).map((found) => found.post);
    const originals = posts.filter((post) => post.originId === post.sourceId);
    const [oldest] = (originals.length > 0 ? originals : posts).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    if (oldest === undefined) throw gone('not_found', 'Reddit names no post with this media.', { mediaUrl });
    return oldest.sourceId;
  }

  /** Share links and video addresses answer with a redirect whose `Location` holds the id; it is read, never followed. */
  private async lookUp(address: SourceAddress, forPerson: boolean): Promise<string> {
    const source = address.lookupPath ?? '';
    return resolveLocation(await this.ask(`${this.authUrl}${source}`, { source, forPerson }), this.authUrl);
  }

  private async get(path: string, query: Record<string, string>, forPerson: boolean): Promise<Answer> {
    // Without raw_json=1 every string comes escaped, signed addresses included.
    const url = `${this.apiUrl}${path}?${new URLSearchParams({ raw_json: '1', ...query }).toString()}`;
    const answer = await this.ask(url, { source: path, forPerson });
    const refusal = refusalOf(answer);
    if (refusal) {
      this.options.logger?.warn({ path, status: answer.status, kind: refusal.failure.kind }, 'Reddit refused a request');
      throw refusal;
    }
    return answer;
  }

  private async ask(url: string, asked: BudgetAsk): Promise<Answer> {
    const answer = await this.askOnce(url, asked);
    return answer.status === 401 ? this.askOnce(url, asked) : answer;
  }

  private async askOnce(url: string, asked: BudgetAsk): Promise<Answer> {
    const question = await this.question(url);
    const { budget, logger } = this.options;
    const answer = await withinBudget(budget, asked, () => exchange(this.fetchFn, question, this.limits), logger);
    if (answer.status === 401) this.token.discard(question.headers['authorization']?.slice('bearer '.length) ?? '');
    return answer;
  }

  private async question(url: string) {
    const authorization = `bearer ${await this.token.get()}`;
    return {
      url,
      method: 'GET' as const,
      headers: { authorization, 'user-agent': this.options.userAgent, accept: 'application/json' } as Record<string, string>,
    };
  }

  private readListing(json: unknown): ClassifiedPost[] {
    const listing = listingSchema.safeParse(json);
    if (!listing.success) throw gone('transient', "Reddit's answer is not a list of posts.", {});
    const posts = listing.data.data.children.filter((child) => child.kind === 't3');
    const found = posts.map((child) => classifyPost(child.data)).filter((post) => post !== null);
    if (found.length < posts.length)
      this.options.logger?.warn({ left: posts.length - found.length }, 'Reddit sent posts that cannot be read');
    return found;
  }
}

function refuseUnusable(found: ClassifiedPost): void {
  const { post, removedBy, pending } = found;
  const detail = { postId: post.sourceId, removedBy };
  const message = post.unfetchable ?? 'This post was removed.';
  if (removedBy === 'copyright_takedown' || removedBy === 'legal' || removedBy === 'legal_operations')
    throw gone('rights_blocked', message, detail);
  if (removedBy !== null) throw gone('not_found', message, detail);
  if (pending) throw gone('transient', message, { ...detail, pending });
}

function gone(
  kind: 'not_found' | 'rights_blocked' | 'transient',
  message: string,
  detail: Record<string, string | boolean | null>,
): PipelineError {
  const nextAction = {
    not_found: 'Use another post.',
    rights_blocked: 'Do not use this post; its rights are disputed.',
    transient: 'It is tried again by itself.',
  }[kind];
  return new PipelineError({ kind, message, side: 'reddit', nextAction, detail });
}

const invalid = (message: string): PipelineError =>
  new PipelineError({ kind: 'invalid_input', message, side: 'operator', nextAction: 'Check the address or the name.' });

const withoutSlash = (origin: string): string => origin.replace(/(?<!\/)\/+$/, '');
