import { Body, Controller, Param, Query } from '@nestjs/common';
import { api, claimsQuerySchema, createClaimBodySchema, type ClaimsQuery, type CreateClaimBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam, valid } from '../http/zod.pipe';
import { presentPagination } from '../paging/pagination';
import { RightsService } from './rights.service';

@Controller()
export class RightsController {
  constructor(private readonly rights: RightsService) {}

  @Serves(api.rights.list)
  async list(@Query(valid(claimsQuerySchema)) query: ClaimsQuery) {
    const { claims, total } = await this.rights.page(query);
    return { success: true, data: { posts: claims, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @Serves(api.rights.create)
  async create(@Body(valid(createClaimBodySchema)) body: CreateClaimBody, @Actor() actor: string) {
    return { success: true, data: await this.rights.create(body, actor) };
  }

  @Serves(api.rights.withdraw)
  async withdraw(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.rights.withdraw(id, actor) };
  }
}
