import { z } from 'zod';
import { momentSchema, pageOf, pageQuery } from './envelope.api';
import { defineRoutes, get } from './route';

const PAGE_SIZE = 50;

/**
 * A change that a person made. `subject` is the id of what was changed, where there is one; `before` and `after` hold the fields that
 * differ, both null if there was nothing to compare. `requestId` finds the call in the server's log.
 */
const auditEntrySchema = z.object({
  id: z.uuid(),
  actor: z.string(),
  action: z.string(),
  subject: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  requestId: z.string().nullable(),
  at: momentSchema,
});
export type AuditEntryView = z.infer<typeof auditEntrySchema>;
export const auditLogResponseSchema = pageOf(auditEntrySchema);

/** Newest first; filters match exactly. */
export const auditLogQuerySchema = z.object({
  actor: z.string().min(1).max(320).optional(),
  action: z.string().min(1).max(100).optional(),
  subject: z.string().min(1).max(100).optional(),
  ...pageQuery(PAGE_SIZE),
});
export type AuditLogQuery = z.infer<typeof auditLogQuerySchema>;

export const auditLogRoutes = defineRoutes({
  list: get('/api/audit-log', 'Who changed what', { query: auditLogQuerySchema, response: auditLogResponseSchema }),
});
