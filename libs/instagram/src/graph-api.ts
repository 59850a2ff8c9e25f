import { createHmac } from 'node:crypto';
import type { LoginFlavour } from '@autoposter/contracts';
import { failureOf, flavourOf, objectIn, PipelineError } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { exchange, withoutSlash, type Answer, type HttpRequest } from '@autoposter/resilience';
import { graphFailureOf } from './graph-error';

/** Origin of the Graph API in each login flavour, unless one is configured. */
export const GRAPH_ORIGIN: Record<LoginFlavour, string> = {
  instagram: 'https://graph.instagram.com',
  facebook: 'https://graph.facebook.com',
};

/** The media edge ends at 10,000 items, 50 a page; no other list is longer. */
const MAX_PAGES = 200;

export interface GraphSettings {
  /** Origin of the Graph API, without version. */
  graphUrl: string;
  /** Path prefix such as `v26.0`. */
  apiVersion: string;
  accessToken: string;
  /** The login that created the token; otherwise derived from the token's prefix. */
  flavour?: LoginFlavour;
  /** Proves to the platform that a call with a token of Facebook Login comes from the application; an application can require it. */
  appSecret?: string;
  fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  logger?: Logger;
  /** For all calls but publishing; by default 30 s. */
  timeoutMs?: number;
}

/**
 * One origin, one version, one token. The token is sent in the Authorization header only, so that no address, log line or paging link
 * contains it. No call is retried.
 */
export class GraphApi {
  readonly now: () => number;
  readonly fetchFn: typeof fetch;
  readonly logger: Logger | undefined;
  private readonly origin: string;
  private readonly timeoutMs: number;
  private token: string;

  constructor(private readonly settings: GraphSettings) {
    this.now = settings.now ?? Date.now;
    this.fetchFn = settings.fetch ?? fetch;
    this.logger = settings.logger;
    this.origin = withoutSlash(settings.graphUrl);
    this.timeoutMs = settings.timeoutMs ?? 30_000;
    this.token = settings.accessToken;
  }

  get accessToken(): string {
    return this.token;
  }

  useToken(token: string): void {
    this.token = token;
  }

  /** Reads an object; throws the failure of the answer. `path` starts with a slash and has no version. */
  async get(path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
    return this.expectObject(
      path,
      await this.send('GET', `${this.versioned(path)}?${new URLSearchParams({ ...query, ...this.proof() }).toString()}`),
    );
  }

  /** Pages of a list. Follows cursors, because the `next` address contains the token. */
  async *pages<P extends { next: string | null }>(
    path: string,
    query: Record<string, string>,
    read: (answer: Record<string, unknown>) => P,
  ): AsyncGenerator<P> {
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer: P = read(await this.get(path, after === null ? query : { ...query, after }));
      yield answer;
      if (answer.next === null || answer.next === after) return;
      after = answer.next;
    }
  }

  async post(path: string, form: Record<string, string>, timeoutMs = this.timeoutMs): Promise<Record<string, unknown>> {
    return this.expectObject(path, await this.postRaw(path, form, timeoutMs));
  }

  async delete(path: string): Promise<Record<string, unknown>> {
    return this.expectObject(path, await this.send('DELETE', `${this.versioned(path)}?${new URLSearchParams(this.proof()).toString()}`));
  }

  /** The raw answer, for the publish call, which interprets every answer itself. Throws only where no answer came. */
  postRaw(path: string, form: Record<string, string>, timeoutMs: number): Promise<Answer> {
    return this.send('POST', this.versioned(path), new URLSearchParams({ ...form, ...this.proof() }).toString(), timeoutMs);
  }

  /** For the token calls, which have no version and their credentials in the query. Never logged. */
  async getUnversioned(path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
    const url = `${this.origin}${path}?${new URLSearchParams(query).toString()}`;
    const answer = await ask(this.fetchFn, { url, method: 'GET', headers: { accept: 'application/json' } }, this.timeoutMs);
    return this.expectObject(path, answer);
  }

  private proof(): Record<string, string> {
    const { appSecret } = this.settings;
    if (!appSecret || (this.settings.flavour ?? flavourOf(this.token)) !== 'facebook') return {};
    return { appsecret_proof: createHmac('sha256', appSecret).update(this.token).digest('hex') };
  }

  private versioned(path: string): string {
    return `${this.origin}/${this.settings.apiVersion}${path}`;
  }

  private send(method: 'GET' | 'POST' | 'DELETE', url: string, body?: string, timeoutMs = this.timeoutMs): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}`, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    return ask(this.fetchFn, { url, method, headers, ...(body === undefined ? {} : { body }) }, timeoutMs);
  }

  private expectObject(path: string, answer: Answer): Record<string, unknown> {
    const error = graphFailureOf(answer);
    if (error) {
      this.logger?.warn({ path, kind: error.failure.kind, ...error.failure.detail }, 'Instagram refused a request');
      throw error;
    }
    return objectIn(answer.json);
  }
}

const MAX_BYTES = 4 * 1024 * 1024;

/** One request to Instagram and its answer. Throws `transient` where no complete answer came. */
export const ask = (fetchFn: typeof fetch, request: HttpRequest, timeoutMs: number): Promise<Answer> =>
  exchange(fetchFn, request, { timeoutMs, maxBytes: MAX_BYTES }, ({ reason, seconds, code }, cause) => {
    const detail = { code };
    const failure =
      reason === 'timed_out'
        ? failureOf('instagram_timed_out', { fields: { seconds }, detail })
        : failureOf('instagram_unreachable', { detail });
    return new PipelineError(failure, { cause });
  });
