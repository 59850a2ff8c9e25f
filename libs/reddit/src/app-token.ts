import { objectIn, PipelineError, type RequestBudget } from '@autoposter/domain';
import { exchange, type Answer, type ExchangeLimits } from './exchange';
import { withinBudget } from './rate-limit';
import { refusalOf } from './refusals';

export interface TokenSettings {
  authUrl: string;
  clientId: string;
  clientSecret: string;
  userAgent: string;
}

/** Renewed this long before its end, so that no request starts with a token that dies on the way. */
const RENEW_BEFORE_MS = 60_000;

/**
 * The app-only token (`client_credentials`): asked for once, kept until shortly before it ends (`expires_in` seconds, a day in 2026),
 * asked for once at a time however many calls wait. The endpoint answers some refusals with 200, so only a body with a token counts.
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

  /** Forgets a token that Reddit no longer takes; a newer one is kept. */
  discard(value: string): void {
    if (this.current?.value === value) this.current = null;
  }

  private async renew(): Promise<string> {
    const { authUrl, clientId, clientSecret, userAgent } = this.settings;
    if (clientId === '') {
      throw new PipelineError({
        kind: 'not_configured',
        message: 'Reddit is not configured.',
        side: 'operator',
        nextAction: 'Set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET; since November 2025 Reddit gives keys on request only.',
      });
    }
    const question = {
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
    // people and automation wait for the same token
    const asked = { source: 'token', forPerson: true };
    return this.accept(await withinBudget(this.budget, asked, () => exchange(this.fetchFn, question, this.limits)));
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
      throw new PipelineError({
        kind: 'not_authorised',
        message: 'Reddit rejected the credentials of this application.',
        side: 'operator',
        nextAction: 'Check REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and the kind of the application at Reddit.',
        detail: { status: answer.status, error: String(body['error'] ?? ''), description: String(body['error_description'] ?? '') },
      });
    }
    throw (
      refusalOf(answer) ??
      new PipelineError({
        kind: 'transient',
        message: 'Reddit answered the sign-in without a token.',
        side: 'reddit',
        nextAction: 'It is tried again by itself.',
        detail: { status: answer.status },
      })
    );
  }
}
