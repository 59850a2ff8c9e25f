import type { StageRun } from '@autoposter/contracts';
import type { Reads } from '../items/item-rows';

interface RunRow {
  stage: StageRun['stage'];
  state: StageRun['state'];
  attempts: number;
  max_attempts: number;
  asked_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  due_at: Date | null;
  wait_reason: string | null;
  failure: { message?: string; nextAction?: string | null } | null;
  history: { at: string; attempt: number; outcome: string; failure: { message?: string } | null }[];
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
const OPEN: readonly StageRun['state'][] = ['waiting', 'retrying'];

/**
 * Every asked run of a stage for this item, oldest first, with how its attempts ended. A run that waited is asked for anew when its time
 * comes, so that its start can lie before its request: the earlier of the two is when it was asked for.
 */
export async function stageRunsOf(reads: Reads, itemId: string): Promise<StageRun[]> {
  const rows = await reads.query<RunRow>(
    `SELECT stage, state, attempts, max_attempts, least(requested_at, started_at) AS asked_at, started_at, finished_at, due_at, wait_reason,
            failure, history
     FROM stage_jobs WHERE item_id = $1 ORDER BY asked_at, id`,
    [itemId],
  );
  return rows.map((row) => ({
    stage: row.stage,
    state: row.state,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    requestedAt: row.asked_at.toISOString(),
    startedAt: iso(row.started_at),
    finishedAt: iso(row.finished_at),
    dueAt: OPEN.includes(row.state) ? iso(row.due_at) : null,
    waitReason: OPEN.includes(row.state) ? row.wait_reason : null,
    failure: row.failure && { message: row.failure.message ?? 'It failed without a word.', nextAction: row.failure.nextAction ?? null },
    endings: row.history.map(({ at, attempt, outcome, failure }) => ({
      at: new Date(at).toISOString(),
      attempt,
      outcome,
      message: failure?.message ?? null,
    })),
  }));
}
