import { Injectable, NotFoundException } from '@nestjs/common';
import type { ContentDetails, ContentItem, TimelineEntry } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { itemById, type ItemRow } from '../items/item-rows';
import { ItemPresenter } from '../items/item.presenter';
import { stageRunsOf } from './stage-runs';

@Injectable()
export class ContentService {
  constructor(
    private readonly database: Database,
    private readonly present: ItemPresenter,
  ) {}

  async item(id: string): Promise<ContentItem> {
    return this.present.content(await this.row(id), new Date());
  }

  /** Everything about one item, whatever its state; removed ones too, for their history. */
  async details(id: string): Promise<ContentDetails> {
    const row = await this.row(id);
    const [events, verdict, stages] = await Promise.all([
      this.database.read.history.ofItem(id),
      this.database.read.rights.decisionOf(id),
      stageRunsOf(this.database.sql, id),
    ]);
    const timeline = events.map(({ seq, type, stage, state, reason, actor, occurredAt }): TimelineEntry => ({
      seq,
      type,
      stage,
      state,
      reason,
      actor,
      occurredAt: occurredAt.toISOString(),
    }));
    const rights = verdict && { verdict: verdict.verdict, reasons: verdict.reasons, decidedAt: verdict.decidedAt.toISOString() };
    return { ...this.present.details(row, timeline, rights, new Date()), stages };
  }

  private async row(id: string): Promise<ItemRow> {
    const row = await itemById(this.database.sql, id);
    if (!row) throw new NotFoundException('There is no such post.');
    return row;
  }
}
