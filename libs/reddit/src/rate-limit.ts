import { PipelineError } from '@autoposter/domain';

const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3600;

interface RateBudget {
  used: number | null;
  remaining: number | null;
  /** ISO time at which the present window ends. */
  resetsAt: string | null;
}

/**
 * Reddit's request budget as its headers tell it: `x-ratelimit-remaining` is a decimal (`"997.0"`), `x-ratelimit-reset` whole seconds.
 * Many answers carry no headers; then the last known state stands. The limits differ by key and year, so none is written here.
 */
export class RateLimit {
  private budgetNow: RateBudget = { used: null, remaining: null, resetsAt: null };
  private blockedUntilMs = 0;

  constructor(private readonly now: () => number) {}

  /** Throws `rate_limited` with `retryAt` while the window is used up, so that no request is wasted on a certain refusal. */
  check(): void {
    if (this.blockedUntilMs > this.now()) throw this.failure('The request budget at Reddit is used up for now.', this.blockedUntilMs);
  }

  observe(headers: Headers): void {
    const remaining = numberIn(headers, 'x-ratelimit-remaining');
    const reset = numberIn(headers, 'x-ratelimit-reset');
    if (remaining === null || reset === null) return;
    const resetsAtMs = this.now() + Math.min(reset, MAX_PAUSE_SECONDS) * 1000;
    this.budgetNow = { used: numberIn(headers, 'x-ratelimit-used'), remaining, resetsAt: new Date(resetsAtMs).toISOString() };
    // With whole requests only, a remainder below one buys nothing.
    if (remaining < 1) this.blockedUntilMs = resetsAtMs;
  }

  /** The failure for a 429 (or a block that names a time): `retry-after`, else the window's end, else a minute. */
  refused(headers: Headers): PipelineError {
    const seconds = numberIn(headers, 'retry-after') ?? numberIn(headers, 'x-ratelimit-reset') ?? DEFAULT_PAUSE_SECONDS;
    const until = this.now() + Math.min(Math.max(seconds, 1), MAX_PAUSE_SECONDS) * 1000;
    this.blockedUntilMs = Math.max(this.blockedUntilMs, until);
    return this.failure('Reddit asks for a pause: too many requests.', this.blockedUntilMs);
  }

  private failure(message: string, untilMs: number): PipelineError {
    const { used, remaining } = this.budgetNow;
    return new PipelineError({
      kind: 'rate_limited',
      message,
      side: 'reddit',
      nextAction: 'Nothing to do; work goes on when the window has passed.',
      retryAt: new Date(untilMs).toISOString(),
      detail: { used, remaining },
    });
  }
}

function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  if (value === null || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : null;
}
