import type { ProcessAllStage } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, TEXT, TIME } from '../database/columns';
import { IdRepository } from '../database/sql-repository';

/** A run of one stage over all items that were ready for it. Its jobs have its id as `correlationId`. */
@Entity('stage_runs')
export class StageRun {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) stage!: ProcessAllStage;
  @Column(TEXT) startedBy!: string;
  @Column(TIME) startedAt!: Date;
}

/** An open job of the run. Jobs of later stages have the same correlation id and do not count. */
const OPEN_OF = `stage = $2 AND correlation_id = $1 AND state IN ('requested','running','waiting','retrying')`;
const UNSTARTED = `state IN ('requested','waiting') AND started_at IS NULL`;

export class StageRunRepository extends IdRepository<StageRun> {
  protected readonly entity = StageRun;

  async create(run: Pick<StageRun, 'id' | 'stage' | 'startedBy'>): Promise<void> {
    await this.insert(run);
  }

  /** Number of unfinished items, running or not. */
  countOpen({ id, stage }: StageRun): Promise<number> {
    return this.count(`SELECT count(*) FROM stage_jobs WHERE ${OPEN_OF}`, [id, stage]);
  }

  /** Ids of items that no worker has claimed yet, in the order in which they become due. */
  unstarted({ id, stage }: StageRun): Promise<string[]> {
    return this.column(`SELECT subject_id FROM stage_jobs WHERE ${OPEN_OF} AND ${UNSTARTED} ORDER BY due_at NULLS FIRST, id`, [id, stage]);
  }

  /** Returns `false` if a worker claimed the job first, or the item is no longer part of the run. */
  async cancelUnstarted({ id, stage }: StageRun, itemId: string): Promise<boolean> {
    return this.affectsRow(
      `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), due_at = NULL, fence = fence + 1
       WHERE ${OPEN_OF} AND subject_id = $3 AND ${UNSTARTED}`,
      [id, stage, itemId],
    );
  }
}
