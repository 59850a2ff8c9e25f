import { Body, Controller, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  allowBodySchema,
  api,
  type AllowBody,
  changeClaimBodySchema,
  claimsQuerySchema,
  createClaimBodySchema,
  type ChangeClaimBody,
  type ClaimsQuery,
  type CreateClaimBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { idParam, valid, validFilters } from '../http/validation.pipe';
import { ClaimedWorkService } from './claimed-work.service';
import { RightsService } from './rights.service';

@Controller()
export class RightsController {
  constructor(
    private readonly rights: RightsService,
    private readonly works: ClaimedWorkService,
  ) {}

  @ApiRoute(api.rights.list)
  async list(@Query(validFilters(claimsQuerySchema)) query: ClaimsQuery) {
    const { claims, total } = await this.rights.page(query);
    return { success: true, data: { posts: claims, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.rights.create)
  async create(@Body(valid(createClaimBodySchema)) body: CreateClaimBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.create(body, actor) };
  }

  @ApiRoute(api.rights.change)
  async change(@Param('id', idParam) id: string, @Body(valid(changeClaimBodySchema)) body: ChangeClaimBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.change(id, body, actor) };
  }

  @ApiRoute(api.rights.allow)
  async allow(@Param('id', idParam) id: string, @Body(valid(allowBodySchema)) body: AllowBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.allow(id, body, actor) };
  }

  @ApiRoute(api.rights.endAllow)
  async endAllow(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.rights.endAllow(id, actor) };
  }

  @ApiRoute(api.rights.upload)
  async upload(@Param('id', idParam) id: string, @Req() request: Request, @Actor() actor: string) {
    await this.works.receive(id, request, actor);
    return { success: true, data: await this.rights.find(id) };
  }

  @ApiRoute(api.rights.fetchWork)
  async fetchWork(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.works.fetch(id, actor);
    return { success: true, data: await this.rights.find(id) };
  }

  @ApiRoute(api.rights.withdraw)
  async withdraw(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.rights.withdraw(id, actor) };
  }
}
