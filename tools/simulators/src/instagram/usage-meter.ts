import type { SimulatedClock } from '../server/clock';
import type { InstagramSettings } from './instagram-settings';

const DAY_MS = 86_400_000;

/** Calls of the day in percent of the allowed ones, as the usage headers tell them. */
export class UsageMeter {
  private windowStart = 0;
  private calls = 0;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly settings: InstagramSettings,
    private readonly accountId: string,
  ) {}

  take(): boolean {
    if (this.clock.now() - this.windowStart >= DAY_MS) {
      this.windowStart = this.clock.now();
      this.calls = 0;
    }
    this.calls += 1;
    return this.calls <= this.settings.callsPerDay;
  }

  headers(): Record<string, string> {
    const percent = Math.min(100, Math.ceil((this.calls / this.settings.callsPerDay) * 100));
    const minutes = percent < 100 ? 0 : Math.ceil((this.windowStart + DAY_MS - this.clock.now()) / 60_000);
    const usage = {
      type: 'instagram',
      call_count: percent,
      total_cputime: 0,
      total_time: Math.min(100, percent),
      estimated_time_to_regain_access: minutes,
    };
    return {
      'x-app-usage': JSON.stringify({ call_count: percent, total_cputime: 0, total_time: percent }),
      'x-business-use-case-usage': JSON.stringify({ [this.accountId]: [usage] }),
    };
  }

  reset(): void {
    this.windowStart = 0;
    this.calls = 0;
  }
}
