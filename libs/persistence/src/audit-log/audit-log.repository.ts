import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { auditContext } from './audit-context';
import { AuditEntry } from './audit-entry.entity';

/** What makes an entry one of those asked for; `null` = any. */
export interface AuditFilter {
  actor: string | null;
  action: string | null;
  subject: string | null;
}

const MATCHES = '($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)';

export class AuditRepository extends RowStore<AuditEntry> {
  constructor(manager: EntityManager) {
    super(manager, AuditEntry);
  }

  /** Written in the transaction of the change, so that neither is there without the other. Answers the entry's id. */
  async record(entry: Pick<AuditEntry, 'actor' | 'action'> & Partial<AuditEntry>): Promise<string> {
    const context = auditContext();
    const id = uuidv7();
    await this.insert({ id, ...(context ? { requestId: context.requestId, before: context.before } : {}), ...entry });
    // A transaction that is tried again writes its entry again, and the last one stays.
    if (context) context.entryId = id;
    return id;
  }

  /** What differs once the change is made. */
  async complete(id: string, { before, after, requestId }: Pick<AuditEntry, 'before' | 'after' | 'requestId'>): Promise<void> {
    await this.run('UPDATE audit_log SET before = $2::jsonb, after = $3::jsonb, request_id = $4 WHERE id = $1', [
      id,
      textOf(before),
      textOf(after),
      requestId,
    ]);
  }

  /** Newest first. */
  list(limit: number): Promise<AuditEntry[]> {
    return this.rows('SELECT * FROM audit_log ORDER BY at DESC, id DESC LIMIT $1', [limit]);
  }

  /** One page, newest first; `page` starts at 1. */
  async page(filter: AuditFilter, { page, limit }: { page: number; limit: number }): Promise<{ entries: AuditEntry[]; total: number }> {
    const asked = [filter.actor, filter.action, filter.subject];
    const [entries, counted] = await Promise.all([
      this.rows(`SELECT * FROM audit_log WHERE ${MATCHES} ORDER BY at DESC, id DESC LIMIT $4 OFFSET $5`, [
        ...asked,
        limit,
        (page - 1) * limit,
      ]),
      this.run<{ n: number }>(`SELECT count(*)::int AS n FROM audit_log WHERE ${MATCHES}`, asked),
    ]);
    return { entries, total: counted.rows[0]?.n ?? 0 };
  }
}

const textOf = (value: Record<string, unknown> | null): string | null => (value === null ? null : JSON.stringify(value));
