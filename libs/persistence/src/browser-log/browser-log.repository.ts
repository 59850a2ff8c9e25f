import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A line from the console of a browser. */
@Entity('browser_logs')
export class BrowserLog {
  @PrimaryColumn(BIGINT) id!: number;
  @Column(TEXT) level!: string;
  @Column(TEXT) message!: string;
  @Column(TEXT_OR_NULL) source!: string | null;
  @Column(TIME) loggedAt!: Date;
}

export class BrowserLogRepository extends SqlRepository<BrowserLog> {
  protected readonly entity = BrowserLog;

  async add(entries: readonly Pick<BrowserLog, 'level' | 'message' | 'source' | 'loggedAt'>[]): Promise<void> {
    await this.insertMany(entries);
  }

  /** The last `limit` entries, oldest first. */
  async last(limit: number): Promise<BrowserLog[]> {
    return (await this.rows('SELECT * FROM browser_logs ORDER BY id DESC LIMIT $1', [limit])).reverse();
  }

  async clear(): Promise<void> {
    await this.run('DELETE FROM browser_logs');
  }

  /** Deletes at most `batch` entries, oldest first; the newest `keep` stay. */
  async prune(keep: number, batch: number): Promise<number> {
    const { count } = await this.run(
      `DELETE FROM browser_logs WHERE id IN (SELECT id FROM browser_logs
         WHERE id <= (SELECT id FROM browser_logs ORDER BY id DESC OFFSET $1 LIMIT 1) ORDER BY id LIMIT $2)`,
      [keep, batch],
    );
    return count;
  }
}
