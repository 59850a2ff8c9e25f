import { AsyncLocalStorage } from 'node:async_hooks';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ID, JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** Context of a change while it is made. */
export interface AuditContext {
  /** Links the entry to the lines of the server log. */
  requestId: string;
  /** The subject before the change. */
  before: Record<string, unknown> | null;
  /** Id of the entry that the change wrote in its transaction. */
  entryId: string | null;
}

const contexts = new AsyncLocalStorage<AuditContext>();

/** Runs a change: the entry that it records takes request id and `before` from `context`, and puts its id there. */
export const audited = <T>(context: AuditContext, change: () => Promise<T>): Promise<T> => contexts.run(context, change);

const auditContext = (): AuditContext | undefined => contexts.getStore();

/** A change that an administrator made. `before` and `after` hold the fields that differ. */
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

/** `null` matches everything. */
interface AuditFilter {
  actor: string | null;
  action: string | null;
  subject: string | null;
}

const MATCHES = '($1::text IS NULL OR actor = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)';

export class AuditRepository extends SqlRepository<AuditEntry> {
  protected readonly entity = AuditEntry;

  /** Records the change in its own transaction, so that neither exists without the other. Returns the entry's id. */
  async record(entry: Pick<AuditEntry, 'actor' | 'action'> & Partial<AuditEntry>): Promise<string> {
    const context = auditContext();
    const id = uuidv7();
    await this.insert({ id, ...(context ? { requestId: context.requestId, before: context.before } : {}), ...entry });
    // a retried transaction writes another entry; only the last one is committed
    if (context) context.entryId = id;
    return id;
  }

  /** Adds the difference after the change. */
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
    const matching = [filter.actor, filter.action, filter.subject];
    const [entries, total] = await Promise.all([
      this.rows(`SELECT * FROM audit_log WHERE ${MATCHES} ORDER BY at DESC, id DESC LIMIT $4 OFFSET $5`, [
        ...matching,
        limit,
        (page - 1) * limit,
      ]),
      this.count(`SELECT count(*) FROM audit_log WHERE ${MATCHES}`, matching),
    ]);
    return { entries, total };
  }
}

const textOf = (value: Record<string, unknown> | null): string | null => (value === null ? null : JSON.stringify(value));
