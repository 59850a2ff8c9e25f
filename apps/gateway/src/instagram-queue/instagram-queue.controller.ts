import { Controller, Req } from '@nestjs/common';
import {
  api,
  type BacklogLimitBody,
  type EnqueueBody,
  type EqualFailuresBody,
  type PreviewQuery,
  type PriorityBody,
  type PublishedInAppBody,
  type QueueAccountQuery,
  type QueueIntervalBody,
  type QueueQuery,
  type RandomizationBody,
  type ScheduleBody,
  type SetOptionsBody,
  type SettleBody,
  type TimeBlockingBody,
  type UncheckedPostsBody,
} from '@autoposter/contracts';
import type { Request } from 'express';
import { Actor } from '../auth/current-session';
import { ApiRoute, presentPagination } from '../http/api-route';
import { ValidBody, ValidFilters, ValidId, ValidQuery } from '../http/validation.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { CoverService } from './cover.service';
import { presentQueueItem } from './instagram-queue.presenter';
import { InstagramQueueService, type ShownQueueRow } from './instagram-queue.service';
import { QueueSettingsService } from './queue-settings.service';
import { QueueItemActionsService } from './queue-item-actions.service';

/** Static paths are declared before `/:id`. */
@Controller()
export class InstagramQueueController {
  constructor(
    private readonly queue: InstagramQueueService,
    private readonly settings: QueueSettingsService,
    private readonly actions: QueueItemActionsService,
    private readonly covers: CoverService,
    private readonly items: ItemPresenter,
  ) {}

  @ApiRoute(api.instagramQueue.list)
  async list(@ValidFilters() query: QueueQuery) {
    const { shown, total } = await this.queue.page(query);
    return {
      success: true,
      data: { posts: shown.map((one) => this.show(one)), pagination: presentPagination(query.page, query.limit, total) },
    };
  }

  @ApiRoute(api.instagramQueue.status)
  async status(@ValidQuery() { accountId }: QueueAccountQuery) {
    return { success: true, data: await this.settings.status(accountId) };
  }

  @ApiRoute(api.instagramQueue.statistics)
  async statistics(@ValidQuery() { accountId }: QueueAccountQuery) {
    return { success: true, data: await this.queue.statistics(accountId) };
  }

  @ApiRoute(api.instagramQueue.preview)
  async preview(@ValidQuery() query: PreviewQuery) {
    const { settings, slots } = await this.queue.preview(query);
    return {
      success: true,
      data: {
        isRunning: settings.running,
        timeZone: settings.timeBlocking.timeZone,
        hold: await this.settings.hold(query.accountId),
        slots,
      },
    };
  }

  @ApiRoute(api.instagramQueue.start)
  async start(@ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.change('started', { running: true }, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.stop)
  async stop(@ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.change('stopped', { running: false }, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.setInterval)
  async setInterval(@ValidBody() body: QueueIntervalBody, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.change('interval', body, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.setTimeBlocking)
  async setTimeBlocking(@ValidBody() body: TimeBlockingBody, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.setTimeBlocking(body, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.setRandomization)
  async setRandomization(@ValidBody() body: RandomizationBody, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    const { replaces, ...randomization } = body;
    const settings = { randomization, replaces: replaces && { randomization: replaces } };
    return { success: true, data: await this.settings.change('randomization', settings, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.setBacklogLimit)
  async setBacklogLimit(@ValidBody() body: BacklogLimitBody, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.change('backlog_limit', body, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.setEqualFailures)
  async setEqualFailures(@ValidBody() body: EqualFailuresBody, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.change('equal_failures', body, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.setUncheckedPosts)
  async setUncheckedPosts(@ValidBody() body: UncheckedPostsBody, @ValidQuery() { accountId }: QueueAccountQuery, @Actor() actor: string) {
    return { success: true, data: await this.settings.change('unchecked_posts', body, { actor, accountId }) };
  }

  @ApiRoute(api.instagramQueue.enqueue)
  async enqueue(@ValidId() id: string, @ValidBody() body: EnqueueBody, @Actor() actor: string) {
    return { success: true, data: this.show(await this.queue.add(id, body, actor)) };
  }

  @ApiRoute(api.instagramQueue.remove)
  async remove(@ValidId() id: string, @Actor() actor: string) {
    await this.actions.remove(id, actor);
    return { success: true, message: 'Removed from the queue.' };
  }

  @ApiRoute(api.instagramQueue.setPriority)
  async setPriority(@ValidId() id: string, @ValidBody() body: PriorityBody, @Actor() actor: string) {
    return { success: true, data: this.show(await this.queue.setPriority(id, body.priority, actor)) };
  }

  @ApiRoute(api.instagramQueue.setSchedule)
  async setSchedule(@ValidId() id: string, @ValidBody() body: ScheduleBody, @Actor() actor: string) {
    const at = body.scheduledFor === null ? null : new Date(body.scheduledFor);
    return { success: true, data: this.show(await this.queue.setSchedule(id, at, actor)) };
  }

  @ApiRoute(api.instagramQueue.setOptions)
  async setOptions(@ValidId() id: string, @ValidBody() body: SetOptionsBody, @Actor() actor: string) {
    return { success: true, data: this.show(await this.queue.setOptions(id, body, actor)) };
  }

  @ApiRoute(api.instagramQueue.setCover)
  async setCover(@ValidId() id: string, @Req() request: Request, @Actor() actor: string) {
    return { success: true, data: this.show(await this.covers.set(id, request, actor)) };
  }

  @ApiRoute(api.instagramQueue.removeCover)
  async removeCover(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: this.show(await this.covers.remove(id, actor)) };
  }

  @ApiRoute(api.instagramQueue.publishAnyway)
  async publishAnyway(@ValidId() id: string, @Actor() actor: string) {
    await this.actions.publishAnyway(id, actor);
    return { success: true, data: this.show(await this.queue.find(id)) };
  }

  @ApiRoute(api.instagramQueue.retry)
  async retry(@ValidId() id: string, @Actor() actor: string) {
    await this.actions.retry(id, actor);
    return { success: true, data: this.show(await this.queue.find(id)) };
  }

  @ApiRoute(api.instagramQueue.inAppTask)
  async inAppTask(@ValidId() id: string) {
    const { queueItem, files } = await this.actions.inAppTask(id);
    const shown = files.map(({ fileName }, index) => ({ url: this.items.mediaUrl(queueItem.itemId, index), fileName }));
    return { success: true, data: { caption: queueItem.caption, files: shown, collaborators: queueItem.options.collaborators ?? [] } };
  }

  @ApiRoute(api.instagramQueue.publishedInApp)
  async publishedInApp(@ValidId() id: string, @ValidBody() body: PublishedInAppBody, @Actor() actor: string) {
    await this.actions.publishedInApp(id, body, actor);
    return { success: true, data: this.show(await this.queue.find(id)) };
  }

  @ApiRoute(api.instagramQueue.settle)
  async settle(@ValidId() id: string, @ValidBody() body: SettleBody, @Actor() actor: string) {
    await this.actions.resolveOutcome(id, body, actor);
    return { success: true, data: this.show(await this.queue.find(id)) };
  }

  private show({ row, hasCover, uploadedCover, outOfReach }: ShownQueueRow) {
    const { itemId } = row.queueItem;
    return presentQueueItem(row, outOfReach, {
      posterUrl: this.items.posterUrl(itemId, hasCover),
      coverUrl: this.items.uploadedCoverUrl(itemId, uploadedCover),
    });
  }
}
