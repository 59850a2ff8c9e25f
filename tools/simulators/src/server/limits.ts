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

interface Use {
  at: number;
  tokens: number;
}

export interface Limit {
  kind: 'requests' | 'tokens';
  name: string;
  max: number;
  /** Length of the rolling window. */
  ms: number;
  /** Whether an earlier request in the window counts; by default all do. */
  counts?: (at: number) => boolean;
}

export interface ExceededLimit extends Limit {
  used: number;
  requested: number;
  waitSeconds: number;
}

/** Requests per model with their tokens, for limits in rolling windows. */
export class UsageLog {
  private readonly uses = new Map<string, Use[]>();

  constructor(private readonly clock: SimulatedClock) {}

  add(model: string, tokens: number): void {
    this.uses.set(model, [...(this.uses.get(model) ?? []), { at: this.clock.now(), tokens }]);
  }

  /** Requests or tokens in a window. */
  used(model: string, kind: Limit['kind'], ms: number): number {
    return total(kind, this.within(model, ms));
  }

  /** The first limit that a request of `tokens` would exceed, or `null`. */
  exceeded(model: string, tokens: number, limits: readonly Limit[]): ExceededLimit | null {
    const now = this.clock.now();
    for (const limit of limits) {
      const uses = this.within(model, limit.ms).filter(({ at }) => limit.counts?.(at) ?? true);
      const [used, requested] = [total(limit.kind, uses), limit.kind === 'requests' ? 1 : tokens];
      const waitSeconds = Math.max(0.01, ((uses[0]?.at ?? now) + limit.ms - now) / 1000);
      if (used + requested > limit.max) return { ...limit, used, requested, waitSeconds };
    }
    return null;
  }

  reset(): void {
    this.uses.clear();
  }

  private within(model: string, ms: number): Use[] {
    return (this.uses.get(model) ?? []).filter(({ at }) => this.clock.now() - at < ms);
  }
}

const total = (kind: Limit['kind'], uses: readonly Use[]): number =>
  kind === 'requests' ? uses.length : uses.reduce((sum, { tokens }) => sum + tokens, 0);

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
