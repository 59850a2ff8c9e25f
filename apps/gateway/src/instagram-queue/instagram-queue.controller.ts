import { Body, Controller, Param, Query } from '@nestjs/common';
import {
  api,
  enqueueBodySchema,
  previewQuerySchema,
  priorityBodySchema,
  queueIntervalBodySchema,
  queueQuerySchema,
  randomizationBodySchema,
  scheduleBodySchema,
  settleBodySchema,
  timeBlockingBodySchema,
  type EnqueueBody,
  type PreviewQuery,
  type PriorityBody,
  type QueueIntervalBody,
  type QueueQuery,
  type RandomizationBody,
  type ScheduleBody,
  type SettleBody,
  type TimeBlockingBody,
} from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam, valid } from '../http/zod.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { presentPagination } from '../paging/pagination';
import { presentQueueItem } from './instagram-queue.presenter';
import { InstagramQueueService, type ShownQueueRow } from './instagram-queue.service';
import { QueueSettingsService } from './queue-settings.service';
import { RetryPostService } from './retry-post.service';
import { SettleOutcomeService } from './settle-outcome.service';
import { TakeBackService } from './take-back.service';

/** Fixed paths stand before those with an id. */
@Controller()
export class InstagramQueueController {
  constructor(
    private readonly queue: InstagramQueueService,
    private readonly settings: QueueSettingsService,
    private readonly outcomes: SettleOutcomeService,
    private readonly takeBack: TakeBackService,
    private readonly again: RetryPostService,
    private readonly items: ItemPresenter,
  ) {}

  @Serves(api.instagramQueue.list)
  async list(@Query(valid(queueQuerySchema)) query: QueueQuery) {
    const { shown, total } = await this.queue.page(query);
    return {
      success: true,
      data: { posts: shown.map((one) => this.show(one)), pagination: presentPagination(query.page, query.limit, total) },
    };
  }

  @Serves(api.instagramQueue.status)
  async status() {
    return { success: true, data: await this.settings.status() };
  }

  @Serves(api.instagramQueue.statistics)
  async statistics() {
    return { success: true, data: await this.queue.statistics() };
  }

  @Serves(api.instagramQueue.preview)
  async preview(@Query(valid(previewQuerySchema)) { count }: PreviewQuery) {
    const { settings, slots } = await this.queue.preview(count);
    return {
      success: true,
      data: { isRunning: settings.running, timeZone: settings.timeBlocking.timeZone, hold: await this.settings.hold(), slots },
    };
  }

  @Serves(api.instagramQueue.start)
  async start(@Actor() actor: string) {
    return { success: true, data: await this.settings.setRunning(true, actor) };
  }

  @Serves(api.instagramQueue.stop)
  async stop(@Actor() actor: string) {
    return { success: true, data: await this.settings.setRunning(false, actor) };
  }

  @Serves(api.instagramQueue.setInterval)
  async setInterval(@Body(valid(queueIntervalBodySchema)) body: QueueIntervalBody, @Actor() actor: string) {
    return { success: true, data: await this.settings.setInterval(body.intervalMinutes, actor) };
  }

  @Serves(api.instagramQueue.setTimeBlocking)
  async setTimeBlocking(@Body(valid(timeBlockingBodySchema)) body: TimeBlockingBody, @Actor() actor: string) {
    return { success: true, data: await this.settings.setTimeBlocking(body, actor) };
  }

  @Serves(api.instagramQueue.setRandomization)
  async setRandomization(@Body(valid(randomizationBodySchema)) body: RandomizationBody, @Actor() actor: string) {
    return { success: true, data: await this.settings.setRandomization(body, actor) };
  }

  @Serves(api.instagramQueue.enqueue)
  async enqueue(@Param('id', idParam) id: string, @Body(valid(enqueueBodySchema)) body: EnqueueBody, @Actor() actor: string) {
    return { success: true, data: this.show(await this.queue.add(id, body, actor)) };
  }

  @Serves(api.instagramQueue.remove)
  async remove(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.takeBack.remove(id, actor);
    return { success: true, message: 'Removed from the queue.' };
  }

  @Serves(api.instagramQueue.setPriority)
  async setPriority(@Param('id', idParam) id: string, @Body(valid(priorityBodySchema)) body: PriorityBody, @Actor() actor: string) {
    return { success: true, data: this.show(await this.queue.setPriority(id, body.priority, actor)) };
  }

  @Serves(api.instagramQueue.setSchedule)
  async setSchedule(@Param('id', idParam) id: string, @Body(valid(scheduleBodySchema)) body: ScheduleBody, @Actor() actor: string) {
    const at = body.scheduledFor === null ? null : new Date(body.scheduledFor);
    return { success: true, data: this.show(await this.queue.setSchedule(id, at, actor)) };
  }

  @Serves(api.instagramQueue.retry)
  async retry(@Param('id', idParam) id: string, @Actor() actor: string) {
    await this.again.retry(id, actor);
    return { success: true, data: this.show(await this.queue.find(id)) };
  }

  @Serves(api.instagramQueue.settle)
  async settle(@Param('id', idParam) id: string, @Body(valid(settleBodySchema)) body: SettleBody, @Actor() actor: string) {
    await this.outcomes.settle(id, body, actor);
    return { success: true, data: this.show(await this.queue.find(id)) };
  }

  private show({ row, hasCover }: ShownQueueRow) {
    return presentQueueItem(row, this.items.posterUrl(row.queueItem.itemId, hasCover, new Date()));
  }
}
