import {
  CAPTION_STAGE,
  FETCH_STAGE,
  RIGHTS_STAGE,
  type ContentDetails,
  type ContentItem,
  type StageRun,
  type TimelineEntry,
} from '@autoposter/contracts';
import { ITEM_FLOW, PDQ_MIN_QUALITY, type ItemState } from '@autoposter/domain';
import { Database, type UnitOfWork } from '@autoposter/persistence';
import { Injectable, NotFoundException, ConflictException } from '@nestjs/common';
import { lockItem, moveItem } from '../items/item-actions';
import { itemById, type ItemRow, type Reads } from '../items/item-rows';
import { ItemPresenter } from '../items/item.presenter';

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

  /** Puts a discarded item back where it was. 409 where it is not discarded, or where its work was claimed since. */
  async restore(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.state !== 'discarded') throw new ConflictException(`Only a discarded post can be brought back; this one is ${item.state}.`);
      const to = (await formerState(uow, id)) ?? (await stateByWhatIsThere(uow, id));
      if (rightsCheckedStates.includes(to)) await refuseClaimed(uow, id);
      await moveItem(uow, item, to);
      uow.history.append({ type: 'item.restored', subjectId: id, itemId: id, state: to, actor });
      await uow.audit.record({ actor, action: 'item.restore', subject: id, detail: { state: to } });
    });
  }

  private async row(id: string): Promise<ItemRow> {
    const row = await itemById(this.database.sql, id);
    if (!row) throw new NotFoundException('There is no such post.');
    return row;
  }
}

const { restingStates: FROM, rightsCheckedStates, doneStates } = ITEM_FLOW;

const isFormer = (state: string | null): state is ItemState => FROM.some((each) => each === state);

/** The state that the history tells of last before the item was discarded; it is not kept for ever. */
async function formerState(uow: UnitOfWork, id: string): Promise<ItemState | null> {
  const events = await uow.history.ofItem(id);
  const discarded = events.map((event) => event.type).lastIndexOf('item.discarded');
  const before = events.slice(0, Math.max(0, discarded)).filter((event) => isFormer(event.state));
  const state = before.at(-1)?.state ?? null;
  return isFormer(state) ? state : null;
}

async function stateByWhatIsThere(uow: UnitOfWork, id: string): Promise<ItemState> {
  if (await uow.captions.of(id)) return doneStates[CAPTION_STAGE];
  return (await uow.media.ofItem(id)).some((file) => file.role === 'processed') ? doneStates[RIGHTS_STAGE] : doneStates[FETCH_STAGE];
}

async function refuseClaimed(uow: UnitOfWork, id: string): Promise<void> {
  const prints = await uow.rights.fingerprintsOf(id);
  const hashes = prints.flatMap((print) => print.sha256 ?? []);
  const pictures = prints.flatMap((print) => (print.pdqHash !== null && (print.pdqQuality ?? 0) >= PDQ_MIN_QUALITY ? [print.pdqHash] : []));
  const claim = (await uow.rights.findMatches(id, hashes, pictures)).find((match) => match.kind === 'claim');
  if (claim) throw new ConflictException(`This post shows the claimed work "${claim.title}" and stays where it is.`);
}

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
async function stageRunsOf(reads: Reads, itemId: string): Promise<StageRun[]> {
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
