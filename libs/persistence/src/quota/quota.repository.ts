import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, TEXT } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** Usage of a quota per day (UTC). */
@Entity('quota_usage')
export class QuotaUsage {
  @PrimaryColumn(TEXT) name!: string;
  @PrimaryColumn({ type: 'date' }) day!: string;
  @Column(INTEGER) used!: number;
}

export class QuotaRepository extends SqlRepository<QuotaUsage> {
  protected readonly entity = QuotaUsage;

  /** Counts one use of `name` on `day` (YYYY-MM-DD); returns `false` if `limit` is reached. */
  async take(name: string, day: string, limit: number): Promise<boolean> {
    if (limit < 1) return false;
    return this.affectsRow(
      `INSERT INTO quota_usage (name, day, used) VALUES ($1, $2, 1)
       ON CONFLICT (name, day) DO UPDATE SET used = quota_usage.used + 1 WHERE quota_usage.used < $3 RETURNING used`,
      [name, day, limit],
    );
  }

  /** Uncounts a use that was not needed. */
  async refund(name: string, day: string): Promise<void> {
    await this.run('UPDATE quota_usage SET used = used - 1 WHERE name = $1 AND day = $2 AND used > 0', [name, day]);
  }

  async set(name: string, day: string, used: number): Promise<void> {
    await this.run(
      `INSERT INTO quota_usage (name, day, used) VALUES ($1, $2, $3)
       ON CONFLICT (name, day) DO UPDATE SET used = excluded.used WHERE quota_usage.used <> excluded.used`,
      [name, day, used],
    );
  }

  /** Uses on `day` of all names that start with `prefix`. */
  used(prefix: string, day: string): Promise<number> {
    return this.count('SELECT coalesce(sum(used), 0) FROM quota_usage WHERE starts_with(name, $1) AND day = $2', [prefix, day]);
  }
}
