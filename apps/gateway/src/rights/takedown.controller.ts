import {
  api,
  answerNoticeBodySchema,
  casesQuerySchema,
  closeNoticeBodySchema,
  counterNoticeBodySchema,
  createNoticeBodySchema,
  moveCaseBodySchema,
  noticesQuerySchema,
  type AnswerNoticeBody,
  type CasesQuery,
  type CloseNoticeBody,
  type CounterNoticeBody,
  type CreateNoticeBody,
  type MoveCaseBody,
  type NoticesQuery,
} from '@autoposter/contracts';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { idParam, valid, validFilters } from '../http/validation.pipe';
import { TakedownService } from './takedown.service';

@Controller()
export class TakedownController {
  constructor(private readonly takedown: TakedownService) {}

  @ApiRoute(api.takedown.notices)
  async notices(@Query(validFilters(noticesQuerySchema)) query: NoticesQuery) {
    const { notices, total } = await this.takedown.page(query);
    return { success: true, data: { posts: notices, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.takedown.createNotice)
  async create(@Body(valid(createNoticeBodySchema)) body: CreateNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.create(body, actor) };
  }

  @ApiRoute(api.takedown.notice)
  async notice(@Param('id', idParam) id: string) {
    return { success: true, data: await this.takedown.find(id) };
  }

  @ApiRoute(api.takedown.answer)
  async answer(@Param('id', idParam) id: string, @Body(valid(answerNoticeBodySchema)) body: AnswerNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.answer(id, body, actor) };
  }

  @ApiRoute(api.takedown.counter)
  async counter(@Param('id', idParam) id: string, @Body(valid(counterNoticeBodySchema)) body: CounterNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.counter(id, body, actor) };
  }

  @ApiRoute(api.takedown.close)
  async close(@Param('id', idParam) id: string, @Body(valid(closeNoticeBodySchema)) body: CloseNoticeBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.close(id, body, actor) };
  }

  @ApiRoute(api.takedown.cases)
  async cases(@Query(validFilters(casesQuerySchema)) query: CasesQuery) {
    const { cases, total } = await this.takedown.cases(query);
    return { success: true, data: { posts: cases, pagination: presentPagination(query.page, query.limit, total) } };
  }

  @ApiRoute(api.takedown.moveCase)
  async moveCase(@Param('id', idParam) id: string, @Body(valid(moveCaseBodySchema)) body: MoveCaseBody, @Actor() actor: string) {
    return { success: true, data: await this.takedown.moveCase(id, body, actor) };
  }

  @ApiRoute(api.takedown.strikes)
  async strikes() {
    return { success: true, data: await this.takedown.strikes() };
  }
}
