import type { SimulatedClock } from './clock';

/** A request limit in fixed windows; a window begins with the first request after the previous one. */
export class RequestWindow {
  used = 0;
  private startedAt = 0;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly lengthMs: number,
    private readonly limit: () => number,
  ) {}

  /** Counts a request; `false` when the limit of the window is exceeded. */
  take(): boolean {
    if (this.clock.now() - this.startedAt >= this.lengthMs) {
      this.startedAt = this.clock.now();
      this.used = 0;
    }
    this.used += 1;
    return this.used <= this.limit();
  }

  get leftMs(): number {
    return Math.max(0, this.startedAt + this.lengthMs - this.clock.now());
  }

  reset(): void {
    this.startedAt = 0;
    this.used = 0;
  }
}

export interface Use {
  at: number;
  tokens: number;
}

/** Requests per model with their tokens, for limits in rolling windows. */
export class UsageLog {
  private readonly uses = new Map<string, Use[]>();

  constructor(private readonly clock: SimulatedClock) {}

  add(model: string, tokens: number): void {
    this.uses.set(model, [...(this.uses.get(model) ?? []), { at: this.clock.now(), tokens }]);
  }

  within(model: string, ms: number): Use[] {
    return (this.uses.get(model) ?? []).filter(({ at }) => this.clock.now() - at < ms);
  }

  reset(): void {
    this.uses.clear();
  }
}

export const tokensOf = (uses: readonly Use[]): number => uses.reduce((sum, { tokens }) => sum + tokens, 0);

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
