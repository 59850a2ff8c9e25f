import { Injectable, NotFoundException } from '@nestjs/common';
import type { ContentDetails, TimelineEntry } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { itemById } from '../items/item-rows';
import { ItemPresenter } from '../items/item.presenter';

@Injectable()
export class ContentService {
  constructor(
    private readonly database: Database,
    private readonly present: ItemPresenter,
  ) {}

  /** Everything about one item, whatever its state; removed ones too, for their history. */
  async details(id: string): Promise<ContentDetails> {
    const row = await itemById(this.database.sql, id);
    if (!row) throw new NotFoundException('There is no such post.');
    const [events, verdict] = await Promise.all([this.database.read.history.ofItem(id), this.database.read.rights.verdictOf(id)]);
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
    return this.present.details(row, timeline, rights, new Date());
  }
}
