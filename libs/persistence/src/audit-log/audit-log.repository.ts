import { AsyncLocalStorage } from 'node:async_hooks';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ID, JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** What is known about a change while it is being made. */
export interface AuditContext {
  /** Shown beside the change, so that it can be found in the server's log. */
  requestId: string;
  /** How the subject looked before. */
  before: Record<string, unknown> | null;
  /** The entry that the change wrote about itself, in its own transaction. */
  entryId: string | null;
}

const contexts = new AsyncLocalStorage<AuditContext>();

/** Runs a change; the entry that it writes about itself is completed from `context`, and named there. */
export const audited = <T>(context: AuditContext, change: () => Promise<T>): Promise<T> => contexts.run(context, change);

export const auditContext = (): AuditContext | undefined => contexts.getStore();

/** A change that a person made. `before` and `after` hold the fields that differ. */
@Entity('audit_log')
export class AuditEntry {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) actor!: string;
  @Column(TEXT) action!: string;
  @Column(TEXT_OR_NULL) subject!: string | null;
  @Column(JSON_VALUE) detail!: Record<string, unknown>;
  @Column(JSON_OR_NULL) before!: Record<string, unknown> | null;
  @Column(JSON_OR_NULL) after!: Record<string, unknown> | null;
  @Column(TEXT_OR_NULL) requestId!: string | null;
  @Column(TIME) at!: Date;
}

/** What makes an entry one of those asked for; `null` = any. */
export interface AuditFilter {
  actor: string | null;
  action: string | null;
  subject: string | null;
}

const MATCHES = '($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)';

export class AuditRepository extends SqlRepository<AuditEntry> {
  protected readonly entity = AuditEntry;

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
