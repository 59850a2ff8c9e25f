import type { Failure } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ID, INTEGER_OR_NULL, JSON_OR_NULL, TEXT, TIME, TIME_OR_NULL } from '../database/columns';
import { IdRepository } from '../database/sql-repository';

/** One run of collecting from a subreddit; at most one is open per subreddit. */
@Entity('collect_runs')
export class CollectRun {
  @PrimaryColumn(ID) id!: string;
  @Column(ID) subredditId!: string;
  @Column(TEXT) state!: 'requested' | 'running' | 'done' | 'failed';
  @Column({ ...TEXT, name: 'asked_by' }) requestedBy!: string;
  @Column(INTEGER_OR_NULL) listed!: number | null;
  @Column(INTEGER_OR_NULL) accepted!: number | null;
  @Column(INTEGER_OR_NULL) skipped!: number | null;
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(TIME) createdAt!: Date;
  @Column(TIME_OR_NULL) finishedAt!: Date | null;
}

export class CollectRunRepository extends IdRepository<CollectRun> {
  protected readonly entity = CollectRun;

  /** Returns `null` if a run of this subreddit is open. */
  create(run: Pick<CollectRun, 'subredditId' | 'requestedBy'>): Promise<CollectRun | null> {
    return this.insert(
      { id: uuidv7(), state: 'requested', ...run },
      `ON CONFLICT (subreddit_id) WHERE state IN ('requested','running') DO NOTHING`,
    );
  }

  /** Changes an open run; returns `false` if it is closed. */
  async settle(id: string, state: CollectRun['state'], values: Partial<CollectRun> = {}): Promise<boolean> {
    const set = this.assignments({ ...values, state }, 2);
    const finished = state === 'done' || state === 'failed' ? ', finished_at = now()' : '';
    return this.affectsRow(`UPDATE collect_runs SET ${set.text}${finished} WHERE id = $1 AND state IN ('requested','running')`, [
      id,
      ...set.parameters,
    ]);
  }

  /** Ends runs of a subreddit that have been open for ten minutes without a job; otherwise they would block new runs permanently. */
  async failAbandoned(subredditId: string, failure: Failure): Promise<void> {
    await this.run(
      `UPDATE collect_runs r SET state = 'failed', failure = $2, finished_at = now()
       WHERE subreddit_id = $1 AND state IN ('requested','running') AND created_at < now() - interval '10 minutes'
         AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.subject_id = r.id AND j.state IN ('requested','running','waiting','retrying'))`,
      [subredditId, JSON.stringify(failure)],
    );
  }

  /** The newest run of each of these subreddits; one index lookup per subreddit, independent of the number of runs. */
  async latestOf(subredditIds: readonly string[]): Promise<Map<string, CollectRun>> {
    const rows = await this.rows(
      `SELECT run.* FROM unnest($1::uuid[]) AS given (id) CROSS JOIN LATERAL (
         SELECT * FROM collect_runs r WHERE r.subreddit_id = given.id ORDER BY r.created_at DESC, r.id DESC LIMIT 1) run`,
      [subredditIds],
    );
    return new Map(rows.map((row) => [row.subredditId, row]));
  }

  countOpen(): Promise<number> {
    return this.count(`SELECT count(*) FROM collect_runs WHERE state IN ('requested','running')`);
  }
}
