import type { ProcessAllStage } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A run of one stage over all files that were ready for it. Its files are the jobs that have its id as their correlation. */
@Entity('stage_runs')
export class StageRun {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) stage!: ProcessAllStage;
  @Column(TEXT) startedBy!: string;
  @Column(TIME) startedAt!: Date;
}

/** A job of the run that is open. Of the same correlation are what follows the run in later stages: those are not its files. */
const OPEN_OF = `stage = $2 AND correlation_id = $1 AND state IN ('requested','running','waiting','retrying')`;
const UNSTARTED = `state IN ('requested','waiting') AND started_at IS NULL`;

export class StageRunRepository extends SqlRepository<StageRun> {
  protected readonly entity = StageRun;

  async create(run: Pick<StageRun, 'id' | 'stage' | 'startedBy'>): Promise<void> {
    await this.insert(run);
  }

  find(id: string): Promise<StageRun | null> {
    return this.row('SELECT * FROM stage_runs WHERE id = $1', [id]);
  }

  /** Files that are not through yet, whether in work or not. */
  async countOpen({ id, stage }: StageRun): Promise<number> {
    const { rows } = await this.run<{ n: number }>(`SELECT count(*)::int AS n FROM stage_jobs WHERE ${OPEN_OF}`, [id, stage]);
    return rows[0]?.n ?? 0;
  }

  /** Items that no worker has taken so far; those whose turn comes first are first. */
  async unstarted({ id, stage }: StageRun): Promise<string[]> {
    const { rows } = await this.run<{ subject_id: string }>(
      `SELECT subject_id FROM stage_jobs WHERE ${OPEN_OF} AND ${UNSTARTED} ORDER BY due_at NULLS FIRST, id`,
      [id, stage],
    );
    return rows.map((row) => row.subject_id);
  }

  /** `false` where a worker was first, or the file has left the run by itself. */
  async cancelUnstarted({ id, stage }: StageRun, itemId: string): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), due_at = NULL, fence = fence + 1
       WHERE ${OPEN_OF} AND subject_id = $3 AND ${UNSTARTED}`,
      [id, stage, itemId],
    );
    return count === 1;
  }
}
