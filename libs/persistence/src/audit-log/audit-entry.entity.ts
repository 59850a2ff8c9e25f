import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** A change that a person made. `before` and `after` hold the fields that differ. */
@Entity('audit_log')
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(TEXT)
  actor!: string;

  @Column(TEXT)
  action!: string;

  @Column(TEXT_OR_NULL)
  subject!: string | null;

  @Column(JSON_VALUE)
  detail!: Record<string, unknown>;

  @Column(JSON_OR_NULL)
  before!: Record<string, unknown> | null;

  @Column(JSON_OR_NULL)
  after!: Record<string, unknown> | null;

  @Column(TEXT_OR_NULL)
  requestId!: string | null;

  @Column(TIME)
  at!: Date;
}
