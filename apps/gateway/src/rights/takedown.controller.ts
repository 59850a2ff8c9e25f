import {
  api,
  type AnswerNoticeBody,
  type CasesQuery,
  type CloseNoticeBody,
  type CounterNoticeBody,
  type CreateNoticeBody,
  type MoveCaseBody,
  type NoticesQuery,
} from '@autoposter/contracts';
import { Controller } from '@nestjs/common';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidBody, ValidFilters, ValidId } from '../http/validation.pipe';
import { TakedownService } from './takedown.service';

@Controller()
export class TakedownController {
  constructor(private readonly takedown: TakedownService) {}

  @ApiRoute(api.takedown.notices)
  async notices(@ValidFilters() query: NoticesQuery) {
    const { notices, total } = await this.takedown.page(query);
    return { success: true, data: { posts: notices, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.takedown.createNotice)
  async create(@ValidBody() body: CreateNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.create(body, actor) };
  }

  @ApiRoute(api.takedown.notice)
  async notice(@ValidId() id: string) {
    return { success: true, data: await this.takedown.find(id) };
  }

  @ApiRoute(api.takedown.answer)
  async answer(@ValidId() id: string, @ValidBody() body: AnswerNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.answer(id, body, actor) };
  }

  @ApiRoute(api.takedown.counter)
  async counter(@ValidId() id: string, @ValidBody() body: CounterNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.counter(id, body, actor) };
  }

  @ApiRoute(api.takedown.close)
  async close(@ValidId() id: string, @ValidBody() body: CloseNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.close(id, body, actor) };
  }

  @ApiRoute(api.takedown.cases)
  async cases(@ValidFilters() query: CasesQuery) {
    const { cases, total } = await this.takedown.cases(query);
    return { success: true, data: { posts: cases, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.takedown.moveCase)
  async moveCase(@ValidId() id: string, @ValidBody() body: MoveCaseBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.moveCase(id, body, actor) };
  }

  @ApiRoute(api.takedown.strikes)
  async strikes() {
    return { success: true, data: await this.takedown.strikes() };
  }
}
