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

export interface LockedBudget {
  state: BudgetState;
  /** The database clock, read under the lock. */
  now: Date;
}

export class BudgetRepository extends SqlRepository<ProviderBudgetRow> {
  protected readonly entity = ProviderBudgetRow;

  /** The provider's row, locked until the transaction ends; made where it is missing. */
  async lock(provider: string): Promise<LockedBudget> {
    const locked = async (): Promise<ProviderBudgetRow | null> =>
      this.row('SELECT * FROM provider_budgets WHERE provider = $1 FOR UPDATE', [provider]);
    let row = await locked();
    if (row === null) {
      await this.run('INSERT INTO provider_budgets (provider) VALUES ($1) ON CONFLICT DO NOTHING', [provider]);
      row = await locked();
    }
    if (row === null) throw new Error(`the budget of ${provider} is gone`);
    const [read] = (await this.run<{ now: Date }>('SELECT clock_timestamp() AS now')).rows;
    if (read === undefined) throw new Error('the database did not tell its time');
    const { total, remaining, windowEndsAt, probeUntil, blockedUntil, refusals } = row;
    return { state: { total, remaining, windowEndsAt, probeUntil, blockedUntil, refusals }, now: read.now };
  }

  async save(provider: string, { total, remaining, windowEndsAt, probeUntil, blockedUntil, refusals }: BudgetState): Promise<void> {
    await this.run(
      `UPDATE provider_budgets SET total = $2, remaining = $3, window_ends_at = $4, probe_until = $5, blocked_until = $6, refusals = $7
       WHERE provider = $1`,
      [provider, whole(total), whole(remaining), windowEndsAt, probeUntil, blockedUntil, refusals],
    );
  }

  /** The pause of one source, `null` where it is not paused. */
  async pausedUntil(provider: string, source: string): Promise<Date | null> {
    const { rows } = await this.run<{ paused_until: Date }>(
      'SELECT paused_until FROM provider_pauses WHERE provider = $1 AND source = $2 AND paused_until > clock_timestamp()',
      [provider, source],
    );
    return rows[0]?.paused_until ?? null;
  }

  /** Refusals of this source in a row, this one included. */
  async countRefusal(provider: string, source: string): Promise<number> {
    await this.run(`DELETE FROM provider_pauses WHERE paused_until < clock_timestamp() - interval '1 day'`);
    const { rows } = await this.run<{ refusals: number }>(
      `INSERT INTO provider_pauses AS p (provider, source) VALUES ($1, $2)
       ON CONFLICT (provider, source) DO UPDATE SET refusals = p.refusals + 1 RETURNING refusals`,
      [provider, source],
    );
    return rows[0]?.refusals ?? 1;
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

/** The headers send decimals; only whole requests count. */
const whole = (count: number | null): number | null => (count === null ? null : Math.min(Math.floor(count), 2_000_000_000));
