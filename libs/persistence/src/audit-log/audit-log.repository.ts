import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { AuditEntry } from './audit-entry.entity';

export class AuditRepository extends RowStore<AuditEntry> {
  constructor(manager: EntityManager) {
    super(manager, AuditEntry);
  }

  async record(entry: Pick<AuditEntry, 'actor' | 'action'> & Partial<AuditEntry>): Promise<void> {
    await this.insert({ id: uuidv7(), ...entry });
  }

  /** Newest first. */
  list(limit: number): Promise<AuditEntry[]> {
    return this.rows('SELECT * FROM audit_log ORDER BY at DESC, id DESC LIMIT $1', [limit]);
  }
}
