import { api, type AnswerPermissionBody, type CreatePermissionBody, type RevokePermissionBody } from '@autoposter/contracts';
import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidBody, ValidId, ValidFilters } from '../http/validation.pipe';
import { PermissionsService } from './permissions.service';

@Controller()
export class PermissionsController {
  constructor(private readonly permissions: PermissionsService) {}

  @ApiRoute(api.permissions.list)
  async list(@ValidFilters() query: { page: number; limit: number }) {
    const { permissions, total } = await this.permissions.page(query);
    return { success: true, data: { posts: permissions, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.permissions.create)
  async create(@ValidBody() body: CreatePermissionBody, @Actor() actor: string) {
    return { success: true, data: await this.permissions.create(body, actor) };
  }

  @ApiRoute(api.permissions.answer)
  async answer(@ValidId() id: string, @ValidBody() body: AnswerPermissionBody, @Actor() actor: string) {
    return { success: true, data: await this.permissions.answer(id, body, actor) };
  }

  @ApiRoute(api.permissions.proof)
  async proof(@ValidId() id: string, @Req() request: Request, @Actor() actor: string) {
    return { success: true, data: await this.permissions.addProof(id, request, actor) };
  }

  @ApiRoute(api.permissions.revoke)
  async revoke(@ValidId() id: string, @ValidBody() body: RevokePermissionBody, @Actor() actor: string) {
    return { success: true, data: await this.permissions.revoke(id, body.reason, actor) };
  }
}
