import { LIMITS, type MarkOriginalityBody, type OriginalityRule, type OriginalityState } from '@autoposter/contracts';
import { INITIAL_ORIGINALITY_RULE, originalityOf, SETTING } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';

/** The estimated originality of the account's posts, and the originality rule of the queue. */
@Injectable()
export class OriginalityService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async state(): Promise<OriginalityState> {
    const { settings, originality } = this.database.read;
    const rule = (await settings.get<OriginalityRule>(SETTING.originality)) ?? INITIAL_ORIGINALITY_RULE;
    const posts = await originality.counts(this.settings.instagramAccountId);
    const { windowDays, minPosts } = LIMITS.originality;
    return { ...rule, windowDays, minPosts, posts, ...originalityOf(posts, rule) };
  }

  async setRule(rule: OriginalityRule, actor: string): Promise<OriginalityState> {
    await this.database.unitOfWork(async (uow) => {
      await uow.settings.set(SETTING.originality, rule, actor);
      await uow.audit.record({ actor, action: 'rights.originality_rule', detail: rule });
    });
    return this.state();
  }

  async markOf(itemId: string): Promise<MarkOriginalityBody> {
    if ((await this.database.read.items.find(itemId)) === null) throw new NotFoundException('There is no such post.');
    return { mark: await this.database.read.originality.markOf(itemId) };
  }

  async mark(itemId: string, { mark }: MarkOriginalityBody, actor: string): Promise<MarkOriginalityBody> {
    const { mark: before } = await this.markOf(itemId);
    await this.database.unitOfWork(async (uow) => {
      await uow.originality.mark(itemId, mark, actor);
      await uow.audit.record({ actor, action: 'item.mark_originality', subject: itemId, detail: { before, after: mark } });
    });
    return { mark };
  }
}
