import type { BudgetState } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, INTEGER_OR_NULL, TEXT, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** The request budget of one provider, shared by all processes. */
@Entity('provider_budgets')
export class ProviderBudgetRow {
  @PrimaryColumn(TEXT) provider!: string;
  @Column(INTEGER_OR_NULL) total!: number | null;
  @Column(INTEGER_OR_NULL) remaining!: number | null;
  @Column(TIME_OR_NULL) windowEndsAt!: Date | null;
  @Column(TIME_OR_NULL) probeUntil!: Date | null;
  @Column(TIME_OR_NULL) blockedUntil!: Date | null;
  @Column(INTEGER) refusals!: number;
}

interface LockedBudget {
  state: BudgetState;
  /** The database clock, read under the lock. */
  now: Date;
}

export class BudgetRepository extends SqlRepository<ProviderBudgetRow> {
  protected readonly entity = ProviderBudgetRow;

  /** The provider's row, created if missing, locked until the transaction ends. */
  async lock(provider: string): Promise<LockedBudget> {
    const locked = async (): Promise<ProviderBudgetRow | null> =>
      this.row('SELECT * FROM provider_budgets WHERE provider = $1 FOR UPDATE', [provider]);
    let row = await locked();
    if (row === null) {
      await this.run('INSERT INTO provider_budgets (provider) VALUES ($1) ON CONFLICT DO NOTHING', [provider]);
      row = await locked();
    }
    if (row === null) throw new Error(`the budget of ${provider} does not exist`);
    const now = (await this.value<Date>('SELECT clock_timestamp()')) as Date;
    const { total, remaining, windowEndsAt, probeUntil, blockedUntil, refusals } = row;
    return { state: { total, remaining, windowEndsAt, probeUntil, blockedUntil, refusals }, now };
  }

  async save(provider: string, { total, remaining, windowEndsAt, probeUntil, blockedUntil, refusals }: BudgetState): Promise<void> {
    await this.run(
      `UPDATE provider_budgets SET total = $2, remaining = $3, window_ends_at = $4, probe_until = $5, blocked_until = $6, refusals = $7
       WHERE provider = $1`,
      [provider, whole(total), whole(remaining), windowEndsAt, probeUntil, blockedUntil, refusals],
    );
  }

  /** End of the pause of one source; `null` if it is not paused. */
  async pausedUntil(provider: string, source: string): Promise<Date | null> {
    return this.value('SELECT paused_until FROM provider_pauses WHERE provider = $1 AND source = $2 AND paused_until > clock_timestamp()', [
      provider,
      source,
    ]);
  }

  /** Counts a refusal and returns the number of consecutive ones. */
  async countRefusal(provider: string, source: string): Promise<number> {
    await this.run(`DELETE FROM provider_pauses WHERE paused_until < clock_timestamp() - interval '1 day'`);
    return this.count(
      `INSERT INTO provider_pauses AS p (provider, source) VALUES ($1, $2)
       ON CONFLICT (provider, source) DO UPDATE SET refusals = p.refusals + 1 RETURNING refusals`,
      [provider, source],
    );
  }

  async pause(provider: string, source: string, seconds: number): Promise<void> {
    await this.run(
      'UPDATE provider_pauses SET paused_until = clock_timestamp() + make_interval(secs => $3) WHERE provider = $1 AND source = $2',
      [provider, source, seconds],
    );
  }

  async resume(provider: string, source: string): Promise<void> {
    await this.run('DELETE FROM provider_pauses WHERE provider = $1 AND source = $2', [provider, source]);
  }
}

/** Providers send decimals in their headers; only whole requests count. */
const whole = (count: number | null): number | null => (count === null ? null : Math.min(Math.floor(count), 2_000_000_000));
