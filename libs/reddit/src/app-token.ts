import { objectIn, PipelineError, type RequestBudget } from '@autoposter/domain';
import type { Answer, ExchangeLimits } from '@autoposter/resilience';
import { ask, refusalOf, withinBudget } from './exchange';

export interface TokenSettings {
  authUrl: string;
  clientId: string;
  clientSecret: string;
  userAgent: string;
}

/** Renewed this long before its end, so that no request starts with a token that expires during it. */
const RENEW_BEFORE_MS = 60_000;

/**
 * The app-only token (`client_credentials`), kept until shortly before it ends (`expires_in` seconds, a day in 2026). Calls that wait for
 * it share one request. The endpoint answers some refusals with 200, so only a body with a token counts.
 */
export class AppToken {
  private current: { value: string; renewAtMs: number } | null = null;
  private pending: Promise<string> | null = null;

  constructor(
    private readonly settings: TokenSettings,
    private readonly fetchFn: typeof fetch,
    private readonly now: () => number,
    private readonly limits: ExchangeLimits,
    private readonly budget: RequestBudget,
  ) {}

  async get(): Promise<string> {
    if (this.current && this.current.renewAtMs > this.now()) return this.current.value;
    this.pending ??= this.renew().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  /** Forgets a token that Reddit no longer accepts; a newer one is kept. */
  discard(value: string): void {
    if (this.current?.value === value) this.current = null;
  }

  private async renew(): Promise<string> {
    const { authUrl, clientId, clientSecret, userAgent } = this.settings;
    if (clientId === '') throw PipelineError.of('reddit_keys_missing');
    const request = {
      url: `${authUrl}/api/v1/access_token`,
      method: 'POST' as const,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'user-agent': userAgent,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    };
    // requests of people and of the schedule wait for the same token
    const wanted = { source: 'token', forPerson: true };
    return this.accept(await withinBudget(this.budget, wanted, () => ask(this.fetchFn, request, this.limits)));
  }

  private accept(answer: Answer): string {
    const body = objectIn(answer.json);
    const token = body['access_token'];
    if (answer.status === 200 && typeof token === 'string' && token !== '') {
      const seconds = typeof body['expires_in'] === 'number' ? body['expires_in'] : 3600;
      this.current = { value: token, renewAtMs: this.now() + Math.max(seconds * 1000 - RENEW_BEFORE_MS, 1000) };
      return token;
    }
    if (typeof body['error'] === 'string' || answer.status === 400) {
      throw PipelineError.of('reddit_keys_rejected', {
        detail: { status: answer.status, error: String(body['error'] ?? ''), description: String(body['error_description'] ?? '') },
      });
    }
    throw refusalOf(answer) ?? PipelineError.of('reddit_token_missing', { detail: { status: answer.status } });
  }
}
