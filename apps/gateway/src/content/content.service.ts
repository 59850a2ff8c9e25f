import {
  CAPTION_STAGE,
  FETCH_STAGE,
  RIGHTS_STAGE,
  type ContentDetails,
  type ContentItem,
  type PostCheck,
  type StageRun,
  type TimelineEntry,
} from '@autoposter/contracts';
import {
  addReviewReasons,
  checkedFile,
  decideRights,
  ITEM_FLOW,
  type ItemState,
  renderReviewReason,
  SCHEDULER_ACTOR,
  STORED_SCHEDULER_NAME,
} from '@autoposter/domain';
import {
  Database,
  type ContentItem as Item,
  type ItemRow,
  type PostCheckRow,
  type StageJob,
  type UnitOfWork,
} from '@autoposter/persistence';
import { Injectable, NotFoundException, ConflictException } from '@nestjs/common';
import { blockingClaim, findClaimNaming, lockItem, moveItem } from '@autoposter/workflow';
import { ItemPresenter } from '../items/item.presenter';

@Injectable()
export class ContentService {
  constructor(
    private readonly database: Database,
    private readonly present: ItemPresenter,
  ) {}

  async item(id: string): Promise<ContentItem> {
    return this.present.content(await this.row(id));
  }

  /** In any state, deleted included. */
  async details(id: string): Promise<ContentDetails> {
    const row = await this.row(id);
    const [events, decision, jobs, checks] = await Promise.all([
      this.database.read.history.ofItem(id),
      this.database.read.rights.decisionOf(id),
      this.database.read.jobs.ofItem(id),
      this.database.read.postChecks.ofItem(id),
    ]);
    const timeline = events.map(({ seq, type, stage, state, reason, actor, occurredAt }): TimelineEntry => ({
      seq,
      type,
      stage,
      state,
      reason,
      actor: actor === STORED_SCHEDULER_NAME ? SCHEDULER_ACTOR : actor,
      occurredAt: occurredAt.toISOString(),
    }));
    const rights = decision && { verdict: decision.verdict, reasons: decision.reasons, decidedAt: decision.decidedAt.toISOString() };
    return { ...this.present.details(row, timeline, rights), stages: jobs.map(presentStageRun), postChecks: checks.map(presentPostCheck) };
  }

  /**
   * Returns a discarded item to its former state; refused if a rights claim stops it, also one that was registered in the meantime. What only
   * resembles a claimed work is marked for review.
   */
  async restore(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.state !== 'discarded') throw new ConflictException(`Only a discarded post can be restored; this one is ${item.state}.`);
      const to = (await formerState(uow, id)) ?? (await stateFromStoredResults(uow, id));
      await moveItem(uow, item, to, rightsCheckedStates.includes(to) ? await reviewOf(uow, item) : {});
      uow.history.append({ type: 'item.restored', subjectId: id, itemId: id, state: to, actor });
      await uow.audit.record({ actor, action: 'item.restore', subject: id, detail: { state: to } });
    });
  }

  private async row(id: string): Promise<ItemRow> {
    const row = await this.database.read.itemLists.find(id);
    if (!row) throw new NotFoundException('There is no such post.');
    return row;
  }
}

const { restingStates: FROM, rightsCheckedStates, doneStates } = ITEM_FLOW;

const isFormer = (state: string | null): state is ItemState => FROM.some((each) => each === state);

/** The last state before the item was discarded; `null` if retention already deleted that history. */
async function formerState(uow: UnitOfWork, id: string): Promise<ItemState | null> {
  const events = await uow.history.ofItem(id);
  const discarded = events.map((event) => event.type).lastIndexOf('item.discarded');
  const before = events.slice(0, Math.max(0, discarded)).filter((event) => isFormer(event.state));
  const state = before.at(-1)?.state ?? null;
  return isFormer(state) ? state : null;
}

async function stateFromStoredResults(uow: UnitOfWork, id: string): Promise<ItemState> {
  if (await uow.captions.of(id)) return doneStates[CAPTION_STAGE];
  return (await uow.media.ofItem(id)).some((file) => file.role === 'processed') ? doneStates[RIGHTS_STAGE] : doneStates[FETCH_STAGE];
}

/** Why the item needs a review: what only resembles a claimed work is listed for an administrator to answer. Refuses what a claim stops. */
async function reviewOf(uow: UnitOfWork, item: Item): Promise<Partial<Item>> {
  const naming = await findClaimNaming(uow.claims, item);
  const files = await uow.rights.printsOf(item.id);
  const found = naming === null ? await uow.rights.findMatches(item.id, files) : [];
  const claim = naming ?? blockingClaim(found);
  if (claim !== null) throw new ConflictException(`${claim.message} The post stays discarded.`);
  const matches = found.filter(({ kind, strength }) => kind === 'claim' && strength !== 'pass');
  if (matches.length === 0) return {};
  const { reasons } = decideRights(files.map(checkedFile), matches);
  await uow.rights.addMatches(item.id, { verdict: 'flagged', reasons: reasons.map(renderReviewReason), matches });
  return { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, reasons) };
}

const isPostponed = ({ state }: StageJob): boolean => state === 'waiting' || state === 'retrying';

function presentStageRun(job: StageJob): StageRun {
  const { stage, state, attempts, maxAttempts, requestedAt, startedAt, finishedAt, failure } = job;
  // A job that waited is requested again when its time comes: its start can be earlier than its request.
  const firstRequestedAt = startedAt !== null && startedAt < requestedAt ? startedAt : requestedAt;
  return {
    stage,
    state,
    attempts,
    maxAttempts,
    requestedAt: firstRequestedAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    dueAt: isPostponed(job) ? (job.dueAt?.toISOString() ?? null) : null,
    waitReason: isPostponed(job) ? job.waitReason : null,
    failure: failure && { message: failure.message ?? 'Unknown error', nextAction: failure.nextAction ?? null },
    endings: job.history.map((ending) => ({
      at: new Date(ending.at).toISOString(),
      attempt: ending.attempt,
      outcome: ending.outcome,
      message: ending.failure?.message ?? null,
    })),
  };
}

const presentPostCheck = ({ kind, dueAt, doneAt, result: { missingSince: _internal, ...result }, failure }: PostCheckRow): PostCheck => ({
  kind,
  dueAt: dueAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
  failure: failure && `${failure.message} ${failure.nextAction}`,
  ...result,
});
