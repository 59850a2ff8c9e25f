import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { api, type AllowBody, type ChangeClaimBody, type ClaimsQuery, type CreateClaimBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidBody, ValidFilters, ValidId } from '../http/validation.pipe';
import { ClaimedWorkService } from './claimed-work.service';
import { RightsService } from './rights.service';

@Controller()
export class RightsController {
  constructor(
    private readonly rights: RightsService,
    private readonly works: ClaimedWorkService,
  ) {}

  @ApiRoute(api.rights.list)
  async list(@ValidFilters() query: ClaimsQuery) {
    const { claims, total } = await this.rights.page(query);
    return { success: true, data: { posts: claims, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.rights.create)
  async create(@ValidBody() body: CreateClaimBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.create(body, actor) };
  }

  @ApiRoute(api.rights.change)
  async change(@ValidId() id: string, @ValidBody() body: ChangeClaimBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.change(id, body, actor) };
  }

  @ApiRoute(api.rights.allow)
  async allow(@ValidId() id: string, @ValidBody() body: AllowBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.allow(id, body, actor) };
  }

  @ApiRoute(api.rights.endAllow)
  async endAllow(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.rights.endAllow(id, actor) };
  }

  @ApiRoute(api.rights.upload)
  async upload(@ValidId() id: string, @Req() request: Request, @Actor() actor: string) {
    await this.works.receive(id, request, actor);
    return { success: true, data: await this.rights.find(id) };
  }

  @ApiRoute(api.rights.fetchWork)
  async fetchWork(@ValidId() id: string, @Actor() actor: string) {
    await this.works.fetch(id, actor);
    return { success: true, data: await this.rights.find(id) };
  }

  @ApiRoute(api.rights.withdraw)
  async withdraw(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.rights.withdraw(id, actor) };
  }
}
