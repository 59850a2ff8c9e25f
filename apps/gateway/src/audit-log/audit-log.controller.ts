import { Controller } from '@nestjs/common';
import { api, type AuditEntryView, type AuditLogQuery } from '@autoposter/contracts';
import { Database, type AuditEntry } from '@autoposter/persistence';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidFilters } from '../http/validation.pipe';

@Controller()
export class AuditLogController {
  constructor(private readonly database: Database) {}

  @ApiRoute(api.auditLog.list)
  async list(@ValidFilters() { page, limit, ...asked }: AuditLogQuery) {
    const filter = { actor: asked.actor ?? null, action: asked.action ?? null, subject: asked.subject ?? null };
    const { entries, total } = await this.database.read.audit.page(filter, { page, limit });
    return { success: true, data: { posts: entries.map(presentEntry), pagination: presentPagination(page, limit, total) } };
  }
}

const presentEntry = ({ id, actor, action, subject, detail, before, after, requestId, at }: AuditEntry): AuditEntryView => ({
  ...{ id, actor, action, subject, detail, before, after, requestId },
  at: at.toISOString(),
});
