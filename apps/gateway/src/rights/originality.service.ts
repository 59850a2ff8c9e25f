import {
  ENVIRONMENT_ACCOUNT_ID,
  LIMITS,
  type MarkOriginalityBody,
  type OriginalityRule,
  type OriginalityState,
} from '@autoposter/contracts';
import { accountSetting, INITIAL_ORIGINALITY_RULE, originalityOf } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import { StoredSettings } from '../settings/stored-settings';

/** The estimated originality of the posts of an account, and the originality rule of its queue. */
@Injectable()
export class OriginalityService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
  ) {}

  async state(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<OriginalityState> {
    const { read } = this.database;
    const posts = await read.originality.counts(await this.stored.userIdOf(read, accountId));
    const rule = (await read.settings.get<OriginalityRule>(accountSetting('originality', accountId))) ?? INITIAL_ORIGINALITY_RULE;
    const { windowDays, minPosts } = LIMITS.originality;
    return { ...rule, windowDays, minPosts, posts, ...originalityOf(posts, rule) };
  }

  async setRule(rule: OriginalityRule, actor: string, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<OriginalityState> {
    await this.database.unitOfWork(async (uow) => {
      await this.stored.account(uow, accountId);
      await uow.settings.set(accountSetting('originality', accountId), rule, actor);
      await uow.audit.record({ actor, action: 'rights.originality_rule', subject: accountId, detail: rule });
    });
    return this.state(accountId);
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
