import type { AuditEntryView } from '../api/audit-log.api';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const auditLogQuerySample = { action: 'queue.interval', page: '1' };

export const auditEntrySample: AuditEntryView = {
  id: SAMPLE_ID,
  actor: 'admin@example.com',
  action: 'queue.interval',
  subject: null,
  detail: {},
  before: { intervalMinutes: 120 },
  after: { intervalMinutes: 90 },
  requestId: '7d0c2a54-6d0e-4c55-9a53-6f1f2f8f0a11',
  at: SAMPLE_TIME,
};
