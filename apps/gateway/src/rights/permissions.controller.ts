import {
  answerPermissionBodySchema,
  api,
  createPermissionBodySchema,
  revokePermissionBodySchema,
  type AnswerPermissionBody,
  type CreatePermissionBody,
  type RevokePermissionBody,
} from '@autoposter/contracts';
import { Body, Controller, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { z } from 'zod';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { idParam, valid, validFilters } from '../http/validation.pipe';
import { PermissionsService } from './permissions.service';

const listQuerySchema = api.permissions.list.query;

@Controller()
export class PermissionsController {
  constructor(private readonly permissions: PermissionsService) {}

  @ApiRoute(api.permissions.list)
  async list(@Query(validFilters(listQuerySchema)) query: z.infer<typeof listQuerySchema>) {
    const { permissions, total } = await this.permissions.page(query);
    return { success: true, data: { posts: permissions, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.permissions.create)
  async create(@Body(valid(createPermissionBodySchema)) body: CreatePermissionBody, @Actor() actor: string) {
    return { success: true, data: await this.permissions.create(body, actor) };
  }

  @ApiRoute(api.permissions.answer)
  async answer(
    @Param('id', idParam) id: string,
    @Body(valid(answerPermissionBodySchema)) body: AnswerPermissionBody,
    @Actor() actor: string,
  ) {
    return { success: true, data: await this.permissions.answer(id, body, actor) };
  }

  @ApiRoute(api.permissions.proof)
  async proof(@Param('id', idParam) id: string, @Req() request: Request, @Actor() actor: string) {
    return { success: true, data: await this.permissions.addProof(id, request, actor) };
  }

  @ApiRoute(api.permissions.revoke)
  async revoke(
    @Param('id', idParam) id: string,
    @Body(valid(revokePermissionBodySchema)) body: RevokePermissionBody,
    @Actor() actor: string,
  ) {
    return { success: true, data: await this.permissions.revoke(id, body.reason, actor) };
  }
}
