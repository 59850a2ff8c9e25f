import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_VALUE, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

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

  list(): Promise<WorkerReport[]> {
    return this.rows('SELECT * FROM worker_reports ORDER BY name');
  }
}
