import type { FailureEntry, Platform } from '@autoposter/contracts';

export interface FailureRow {
  id: string;
  kind: FailureEntry['kind'];
  title: string;
  platform: Platform | null;
  stage: string | null;
  message: string | null;
  next_action: string | null;
  at: Date;
}

export const presentFailure = (row: FailureRow): FailureEntry => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  platform: row.platform,
  stage: row.stage,
  message: row.message ?? 'It failed without a word.',
  nextAction: row.next_action,
  occurredAt: row.at.toISOString(),
});
