import { type FailureCause, type FailureEntry, PUBLISH_STAGE } from '@autoposter/contracts';
import { Database, type FailureRow, type RefusedMessages } from '@autoposter/persistence';
import { MESSAGE_FAILURES } from '@autoposter/job-engine';
import { Injectable } from '@nestjs/common';

@Injectable()
export class FailuresService {
  constructor(private readonly database: Database) {}

  async list(): Promise<FailureEntry[]> {
    return (await unseenFailures(this.database)).map(presentFailure);
  }

  /** Failed posts of one queue, or of all, by cause. */
  async causes(accountId?: string): Promise<FailureCause[]> {
    const causes = await this.database.read.failures.publishCauses(MAX_CAUSES, accountId);
    return causes.map(({ cause, count, at, title, failure }) => ({
      cause,
      count,
      title,
      occurredAt: at.toISOString(),
      step: PUBLISH_STAGE,
      message: failure?.message ?? 'Unknown error',
      side: failure?.side ?? null,
      nextAction: failure?.nextAction ?? null,
      details: failure?.detail ?? null,
    }));
  }

  /** Without ids, marks all failures as seen. */
  async markSeen(ids: readonly string[] | undefined, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const now = await uow.now();
      await uow.settings.lock(SEEN);
      const before = await uow.settings.get<SeenMark>(SEEN);
      await uow.items.markFailuresSeen(ids);
      const mark: SeenMark = ids
        ? { until: before?.until ?? new Date(0).toISOString(), ids: [...(before?.ids ?? []), ...ids].slice(-1000) }
        : { until: now.toISOString(), ids: [] };
      await uow.settings.set(SEEN, mark, actor);
    });
  }
}

const presentFailure = (row: FailureRow): FailureEntry => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  platform: row.platform,
  stage: row.stage,
  code: row.code,
  message: row.message ?? 'Unknown error',
  nextAction: row.next_action,
  occurredAt: row.at.toISOString(),
});

const failureOfRefused = ({ id, topic, failure, count, since }: RefusedMessages): FailureRow => ({
  id,
  kind: 'bus',
  title: 'Event bus',
  platform: null,
  stage: null,
  code: failure,
  message: `The event bus refuses ${count === 1 ? 'a message' : `${count} messages`} for the topic ${topic}.`,
  next_action: `${REFUSED_HINTS[failure] ?? 'Check the state of this topic on the bus.'} The work continues automatically once the bus accepts it.`,
  at: since,
});

const REFUSED_HINTS: Readonly<Record<string, string>> = {
  too_large: 'Raise the maximum message size of this topic (max.message.bytes).',
  not_authorised: 'Allow the user of Autoposter to write to this topic.',
};

const MAX_FAILURES = 200;
const MAX_CAUSES = 50;
/** Failures of runs and jobs are listed for this many days. */
const KEPT_DAYS = 7;

const SEEN = 'failures_seen';
interface SeenMark {
  until: string;
  ids: string[];
}

/** Longer than a restart of the event bus. */
const REFUSED_SECONDS = 15;

/** Outbox messages that the event bus keeps refusing. */
export const refusedMessages = (database: Database): Promise<RefusedMessages[]> =>
  database.read.outbox.refused(REFUSED_SECONDS, [...MESSAGE_FAILURES]);

/** Failures that no administrator marked as seen, newest first. */
export async function unseenFailures(database: Database): Promise<FailureRow[]> {
  const mark = await database.read.settings.get<SeenMark>(SEEN);
  const oldest = (await database.read.now()).getTime() - KEPT_DAYS * 86_400_000;
  const since = new Date(Math.max(oldest, mark === null ? 0 : Date.parse(mark.until)));
  const rows = await database.read.failures.unseen(since, MAX_FAILURES);
  // listed as long as the refusal lasts, without the limit of KEPT_DAYS
  const refused = (await refusedMessages(database)).filter(({ since: at }) => mark === null || at > new Date(mark.until));
  const seen = new Set(mark?.ids ?? []);
  const unseen = [...refused.map(failureOfRefused), ...rows].filter((row) => !seen.has(row.id));
  return unseen.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_FAILURES);
}
