import { Body, Controller, Param, Query } from '@nestjs/common';
import { api, claimsQuerySchema, createClaimBodySchema, type ClaimsQuery, type CreateClaimBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { idParam, valid } from '../http/validation.pipe';
import { presentPagination } from '../http/pagination';
import { RightsService } from './rights.service';

@Controller()
export class RightsController {
  constructor(private readonly rights: RightsService) {}

  @ApiRoute(api.rights.list)
  async list(@Query(valid(claimsQuerySchema)) query: ClaimsQuery) {
    const { claims, total } = await this.rights.page(query);
    return { success: true, data: { posts: claims, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.rights.create)
  async create(@Body(valid(createClaimBodySchema)) body: CreateClaimBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.create(body, actor) };
  }

  @ApiRoute(api.rights.withdraw)
  async withdraw(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.rights.withdraw(id, actor) };
  }
}
