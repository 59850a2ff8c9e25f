import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import { requestStage } from '@autoposter/stage-runner';
import type { Heartbeat } from '../task';

const AT_ONCE = 20;

/** Unsettled attempts whose next look is due, and those that were left at the intent without an open run. */
const DUE = `
  SELECT a.id, a.item_id, a.account_id FROM publish_attempts a
  WHERE ((a.state = 'unknown' AND (a.next_look_at IS NULL OR a.next_look_at <= now())) OR (a.state = 'intent' AND a.intent_at < now() - interval '10 minutes'))
    AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.subject_id = a.id AND j.state IN ('requested','running','waiting','retrying'))
  ORDER BY a.next_look_at NULLS FIRST, a.id LIMIT ${AT_ONCE}`;

@Injectable()
export class ScheduleReconcileLooksTask implements Heartbeat {
  readonly id = 'schedule-reconcile-looks';
  readonly description = 'Has the outcome of posts looked up that nobody knows.';
  readonly everySeconds = 5;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    const due = await this.database.sql.query<{ id: string; item_id: string; account_id: string }>(DUE);
    for (const attempt of due) {
      await this.database.unitOfWork(async (uow) => {
        await requestStage(uow, {
          stage: 'reconcile',
          subjectId: attempt.id,
          itemId: attempt.item_id,
          key: attempt.account_id,
          actor: 'clock',
        });
      });
    }
  }
}
