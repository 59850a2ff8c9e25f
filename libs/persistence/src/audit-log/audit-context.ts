import { AsyncLocalStorage } from 'node:async_hooks';

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
