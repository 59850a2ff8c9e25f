import type { SimulatedClock } from '../server/clock';

export interface GeminiSettings {
  requestsPerMinute: number;
  requestsPerDay: number;
  /** How long an uploaded file stays PROCESSING. */
  fileProcessingMs: number;
}

/** Roomier than the free tier, whose numbers would stop a demo after a minute; tests set the true ones. */
export const GEMINI_DEFAULTS: GeminiSettings = { requestsPerMinute: 60, requestsPerDay: 500, fileProcessingMs: 1_000 };

export interface QuotaStop {
  quotaId: string;
  value: number;
  retrySeconds: number;
}

/** Requests per model in the running minute and in the running day of the Pacific zone. */
export class QuotaBook {
  private readonly taken = new Map<string, number[]>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: GeminiSettings,
  ) {}

  /** Counts one request; tells which quota stops it. A refused request does not count. */
  take(model: string): QuotaStop | null {
    const now = this.clock.now();
    const today = pacificDay(now);
    const times = (this.taken.get(model) ?? []).filter((time) => pacificDay(time) === today);
    this.taken.set(model, times);
    const minute = times.filter((time) => now - time < 60_000);
    if (times.length >= this.settings.requestsPerDay) {
      return { quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', value: this.settings.requestsPerDay, retrySeconds: 22.4 };
    }
    if (minute.length >= this.settings.requestsPerMinute) {
      const oldest = minute[0] ?? now;
      return {
        quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
        value: this.settings.requestsPerMinute,
        retrySeconds: (oldest + 60_000 - now) / 1000,
      };
    }
    times.push(now);
    return null;
  }

  reset(): void {
    this.taken.clear();
  }
}

const PACIFIC = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

function pacificDay(ms: number): string {
  return PACIFIC.format(ms);
}
