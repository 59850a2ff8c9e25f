import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_VALUE, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';

/** A change that a person made. */
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

  @Column(TIME)
  at!: Date;
}
