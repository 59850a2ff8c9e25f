import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** Leader election, judged by the database clock. */
@Entity('leases')
export class Lease {
  @PrimaryColumn(TEXT) name!: string;
  @Column(TEXT) owner!: string;
  @Column(BIGINT) fence!: number;
  @Column(TIME) until!: Date;
}

export class LeaseRepository extends SqlRepository<Lease> {
  protected readonly entity = Lease;

  /**
   * Acquires or renews a lease for `seconds`. Returns its fencing token, which grows with each change of the owner; `null` if another owner
   * has it.
   */
  async hold(name: string, owner: string, seconds: number): Promise<number | null> {
    const row = await this.row(
      `INSERT INTO leases AS l (name, owner, fence, until) VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
       ON CONFLICT (name) DO UPDATE SET
         fence = CASE WHEN l.owner = excluded.owner AND l.until >= clock_timestamp() THEN l.fence ELSE l.fence + 1 END,
         owner = excluded.owner, until = excluded.until
       WHERE l.owner = excluded.owner OR l.until < clock_timestamp()
       RETURNING *`,
      [name, owner, seconds],
    );
    return row?.fence ?? null;
  }

  /**
   * Whether no other owner took the lease since this fence was given out. If so, none can until the transaction ends: the row stays locked.
   */
  async lockFence(name: string, fence: number): Promise<boolean> {
    return this.affectsRow('SELECT 1 FROM leases WHERE name = $1 AND fence = $2 FOR SHARE', [name, fence]);
  }

  /** Ends the lease. Not at the present time: stored in whole milliseconds it may lie in the future, and so it would after the clock was set back. */
  async release(name: string, owner: string): Promise<void> {
    await this.run('UPDATE leases SET until = to_timestamp(0) WHERE name = $1 AND owner = $2', [name, owner]);
  }
}
