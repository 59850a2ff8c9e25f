import type { Logger } from '@autoposter/observability';
import { objectIn } from '@autoposter/domain';
import { exchange, type Answer } from './exchange';
import { failureOf } from './graph-error';

export interface GraphSettings {
  /** Origin of the Graph API, without version. */
  graphUrl: string;
  /** Path prefix such as `v26.0`. */
  apiVersion: string;
  accessToken: string;
  fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  logger?: Logger;
  /** For everything but publishing; 30 s unless given. */
  timeoutMs?: number;
}

/**
 * One origin, one version, one token. The token travels in the Authorization header only, so that no address, log line or paging link
 * holds it. No call is repeated.
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
    this.origin = settings.graphUrl.replace(/(?<!\/)\/+$/, '');
    this.timeoutMs = settings.timeoutMs ?? 30_000;
    this.token = settings.accessToken;
  }

  get accessToken(): string {
    return this.token;
  }

  useToken(token: string): void {
    this.token = token;
  }

  /** Reads an object; throws the failure that the answer means. `path` starts with a slash and has no version. */
  async get(path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
    return this.expectObject(path, await this.send('GET', `${this.versioned(path)}?${new URLSearchParams(query).toString()}`));
  }

  async post(path: string, form: Record<string, string>, timeoutMs = this.timeoutMs): Promise<Record<string, unknown>> {
    return this.expectObject(path, await this.postRaw(path, form, timeoutMs));
  }

  /** The bare answer, for the one call whose every answer is judged apart. Throws only where no answer came. */
  postRaw(path: string, form: Record<string, string>, timeoutMs: number): Promise<Answer> {
    return this.send('POST', this.versioned(path), new URLSearchParams(form).toString(), timeoutMs);
  }

  /** For the token calls, which have no version and carry their own credentials in the query. Never logged. */
  async getUnversioned(path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
    const url = `${this.origin}${path}?${new URLSearchParams(query).toString()}`;
    const answer = await exchange(this.fetchFn, { url, method: 'GET', headers: { accept: 'application/json' } }, this.timeoutMs);
    return this.expectObject(path, answer);
  }

  private versioned(path: string): string {
    return `${this.origin}/${this.settings.apiVersion}${path}`;
  }

  private send(method: 'GET' | 'POST', url: string, body?: string, timeoutMs = this.timeoutMs): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}`, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    return exchange(this.fetchFn, { url, method, headers, ...(body === undefined ? {} : { body }) }, timeoutMs);
  }

  private expectObject(path: string, answer: Answer): Record<string, unknown> {
    const error = failureOf(answer);
    if (error) {
      this.logger?.warn({ path, kind: error.failure.kind, ...error.failure.detail }, 'Instagram refused a request');
      throw error;
    }
    return objectIn(answer.json);
  }
}
