import type { TimePeriod } from '@autoposter/contracts';
import {
  parseSourceUrl,
  PipelineError,
  type BudgetRequest,
  type PostSource,
  type RequestBudget,
  type SourceAddress,
  type SourceComment,
  type SourcePost,
  type SubredditSource,
  cutText,
} from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { withoutSlash, type Answer, type ExchangeLimits, type HttpRequest } from '@autoposter/resilience';
import { AppToken, type TokenSettings } from './app-token';
import { classifyPost, type ClassifiedPost } from './classify-post';
import { ask, refusalOf, withinBudget } from './exchange';
import { listingSchema } from './raw-post';
import { topComments } from './top-comments';

export interface RedditClientOptions extends TokenSettings {
  /** Origin of the OAuth API, without a path. `authUrl` is the www origin (token, share links). */
  apiUrl: string;
  /** Reddit counts requests to the API and requests for tokens separately. */
  budget: RequestBudget;
  tokenBudget: RequestBudget;
  fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  logger?: Logger;
  /** Per request; by default 10 s and 8 MiB. */
  timeoutMs?: number;
  maxBytes?: number;
}

const PAGE = 100;
const SUBREDDIT = /^(?:u_)?[A-Za-z0-9][A-Za-z0-9_-]{1,20}$/;

/**
 * Reads Reddit through its OAuth API with an app-only token. Makes one request at a time per call and never retries, except with a new
 * token after a 401; the kind of a failure says whether and when a retry makes sense.
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
    if (!SUBREDDIT.test(name)) throw PipelineError.of('subreddit_name_invalid', { fields: { name: cutText(subreddit, 40) } });
    const wanted = Math.min(Math.max(Math.trunc(limit), 1), PAGE);
    const answer = await this.get(`/r/${name}/top`, { t: period, limit: String(wanted), show: 'all' }, forPerson).catch(nameSubreddit);
    return this.readListing(answer.json)
      .map((found) => found.post)
      .slice(0, wanted);
  }

  /**
   * One post by its address (every form, share links included) with its best comments. Throws `not_found` for a removed or unknown
   * post, `rights_blocked` after a copyright takedown, `reddit_post_pending` while Reddit still processes the video. A live post without a
   * file of its own has `unfetchable` set.
   */
  async resolve(url: string, forPerson = false): Promise<{ post: SourcePost; topComments: SourceComment[] }> {
    const id = await this.idOf(url, forPerson);
    const answer = await this.get(`/comments/${id}`, { sort: 'top', limit: '200', depth: '3' }, forPerson);
    const pages: unknown[] = Array.isArray(answer.json) ? answer.json : [];
    const found = this.readListing(pages[0])[0];
    if (!found) throw PipelineError.of('reddit_post_missing', { detail: { postId: id } });
    // else the item would take over the identity of the other post
    if (found.post.sourceId !== id.toLowerCase())
      throw PipelineError.of('reddit_answer_other_post', { detail: { postId: id, shown: found.post.sourceId } });
    refuseUnusable(found);
    return { post: found.post, topComments: topComments(pages[1]) };
  }

  /**
   * Which of these posts (at most 100 ids without prefix) are deleted or removed at Reddit by now; Reddit's terms require deleting their
   * content. A post that Reddit no longer lists counts as well.
   */
  async removedAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    if (ids.length > PAGE || !ids.every((id) => /^[a-z0-9]+$/i.test(id))) throw PipelineError.of('reddit_too_many_ids');
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
    if (address?.platform !== 'reddit') throw PipelineError.of('reddit_address_invalid');
    if (address.sourceId) return address.sourceId;
    if (address.kind === 'image') return this.postOf(address.canonicalUrl, forPerson);
    if (address.kind === 'video') return this.postOfVideo(address, forPerson);
    if (address.lookupPath) return this.followShareLink(address, forPerson);
    throw PipelineError.of('reddit_address_not_post');
  }

  /** The www origin redirects to the post; where it refuses servers, the API finds the post by the address of the media. */
  private async postOfVideo(address: SourceAddress, forPerson: boolean): Promise<string> {
    try {
      return await this.followShareLink(address, forPerson);
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
    if (oldest === undefined) throw PipelineError.of('reddit_media_unknown', { detail: { mediaUrl } });
    return oldest.sourceId;
  }

  /** Share links and video addresses answer with a redirect whose `Location` contains the id. */
  private async followShareLink(address: SourceAddress, forPerson: boolean): Promise<string> {
    const source = address.lookupPath ?? '';
    return resolveLocation(await this.send(`${this.authUrl}${source}`, { source, forPerson }), this.authUrl);
  }

  private async get(path: string, query: Record<string, string>, forPerson: boolean): Promise<Answer> {
    // Without raw_json=1 every string comes escaped, signed addresses included.
    const url = `${this.apiUrl}${path}?${new URLSearchParams({ raw_json: '1', ...query }).toString()}`;
    const answer = await this.send(url, { source: path, forPerson });
    const refusal = refusalOf(answer);
    if (refusal) {
      this.options.logger?.warn({ path, status: answer.status, kind: refusal.failure.kind }, 'Reddit refused a request');
      throw refusal;
    }
    return answer;
  }

  private async send(url: string, wanted: BudgetRequest): Promise<Answer> {
    const answer = await this.sendOnce(url, wanted);
    return answer.status === 401 ? this.sendOnce(url, wanted) : answer;
  }

  private async sendOnce(url: string, wanted: BudgetRequest): Promise<Answer> {
    const { budget, logger, userAgent } = this.options;
    const token = await this.token.get();
    const headers = { authorization: `bearer ${token}`, 'user-agent': userAgent, accept: 'application/json' };
    const request: HttpRequest = { url, method: 'GET', headers };
    const answer = await withinBudget(budget, wanted, () => ask(this.fetchFn, request, this.limits), logger);
    if (answer.status === 401) this.token.discard(token);
    return answer;
  }

  private readListing(json: unknown): ClassifiedPost[] {
    const listing = listingSchema.safeParse(json);
    if (!listing.success) throw PipelineError.of('reddit_answer_unreadable');
    const posts = listing.data.data.children.filter((child) => child.kind === 't3');
    const found = posts.map((child) => classifyPost(child.data)).filter((post) => post !== null);
    if (found.length < posts.length)
      this.options.logger?.warn({ left: posts.length - found.length }, 'Reddit sent posts that cannot be read');
    return found;
  }
}

/** What a 404 says about a listing; until 2022 Reddit redirected to its search instead. */
function nameSubreddit(error: unknown): never {
  if (!(error instanceof PipelineError) || error.failure.code !== 'reddit_post_unknown') throw error;
  throw PipelineError.of('subreddit_unknown', error.failure.detail === undefined ? {} : { detail: error.failure.detail });
}

function refuseUnusable({ post, removedBy, pending }: ClassifiedPost): void {
  const detail = { postId: post.sourceId, removedBy };
  const fields = { message: post.unfetchable ?? 'This post was removed.' };
  if (removedBy === 'copyright_takedown' || removedBy === 'legal' || removedBy === 'legal_operations')
    throw PipelineError.of('reddit_post_disputed', { fields, detail });
  if (removedBy !== null) throw PipelineError.of('reddit_post_removed', { fields, detail });
  if (pending) throw PipelineError.of('reddit_post_pending', { fields, detail: { ...detail, pending } });
}

/**
 * The post id in the `Location` of a share link's redirect. The address is parsed, not followed: only Reddit's own hosts and the
 * configured www origin are trusted. An invalid code redirects to something without a post, or answers 404.
 */
function resolveLocation({ status, headers }: Answer, authUrl: string): string {
  const location = headers.get('location');
  const id = status >= 300 && status < 400 && location !== null ? idIn(location, authUrl) : null;
  if (id !== null) return id;
  const detail = { status };
  if (status === 401 || status === 403) throw PipelineError.of('share_link_refused', { detail });
  throw PipelineError.of(status >= 500 || status === 408 ? 'reddit_failed' : 'share_link_dead', { detail });
}

function idIn(location: string, authUrl: string): string | null {
  if (!URL.canParse(location, authUrl)) return null;
  const url = new URL(location, authUrl);
  const trusted = url.origin === new URL(authUrl).origin ? new URL(url.pathname, 'https://www.reddit.com').toString() : url.toString();
  const address = parseSourceUrl(trusted);
  return address?.platform === 'reddit' ? address.sourceId : null;
}
