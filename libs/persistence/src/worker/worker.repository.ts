import type { Stage } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_VALUE, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** Liveness of a worker process, on the database clock. The id is also the owner of its leases. */
@Entity('workers')
export class WorkerHeartbeat {
  @PrimaryColumn(TEXT) id!: string;
  @Column({ ...TEXT, array: true }) stages!: Stage[];
  @Column(TIME) since!: Date;
  @Column(TIME) seenAt!: Date;
}

export class WorkerHeartbeatRepository extends SqlRepository<WorkerHeartbeat> {
  protected readonly entity = WorkerHeartbeat;

  /**
   * Records a heartbeat and deletes workers without one for `forgetAfterSeconds`. The first heartbeat of a process resets `since`, because a
   * restarted container has the same name.
   */
  async beat(id: string, stages: readonly Stage[], forgetAfterSeconds: number, isFirst = false): Promise<void> {
    await this.run(
      `INSERT INTO workers AS w (id, stages) VALUES ($1, $2::text[])
       ON CONFLICT (id) DO UPDATE SET stages = excluded.stages, seen_at = clock_timestamp(),
         since = CASE WHEN $3 THEN clock_timestamp() ELSE w.since END`,
      [id, stages, isFirst],
    );
    await this.run('DELETE FROM workers WHERE seen_at < clock_timestamp() - make_interval(secs => $1)', [forgetAfterSeconds]);
  }

  async remove(id: string): Promise<void> {
    await this.run('DELETE FROM workers WHERE id = $1', [id]);
  }

  /** The caller decides from `silentSeconds` whether a worker counts as alive. */
  async list(): Promise<(WorkerHeartbeat & { silentSeconds: number })[]> {
    const { rows } = await this.run<Record<string, unknown> & { silent: number }>(
      'SELECT *, extract(epoch FROM clock_timestamp() - seen_at)::float8 AS silent FROM workers ORDER BY id',
    );
    return rows.map((row) => ({ ...this.toEntity(row), silentSeconds: Math.max(0, row.silent) }));
  }
}

/** A worker's findings about its tools and accounts. */
@Entity('worker_reports')
export class WorkerReport {
  @PrimaryColumn(TEXT) name!: string;
  @Column(JSON_VALUE) report!: unknown;
  @Column(TEXT) reportedBy!: string;
  @Column(TIME) reportedAt!: Date;
}

export class WorkerReportRepository extends SqlRepository<WorkerReport> {
  protected readonly entity = WorkerReport;

  /** Replaces the report of that name. */
  async save(name: string, report: unknown, reportedBy: string): Promise<void> {
    await this.run(
      `INSERT INTO worker_reports (name, report, reported_by) VALUES ($1, $2::jsonb, $3)
       ON CONFLICT (name) DO UPDATE SET report = excluded.report, reported_by = excluded.reported_by, reported_at = now()`,
      [name, JSON.stringify(report), reportedBy],
    );
  }

  async find<T>(name: string): Promise<{ report: T; reportedBy: string; reportedAt: Date } | null> {
    const row = await this.row('SELECT * FROM worker_reports WHERE name = $1', [name]);
    return row === null ? null : { report: row.report as T, reportedBy: row.reportedBy, reportedAt: row.reportedAt };
  }
}
