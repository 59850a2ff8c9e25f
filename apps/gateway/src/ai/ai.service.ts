import { ConflictException, Inject, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import {
  type AcceptedItem,
  type AiProcessAllBody,
  type CaptionOptionsBody,
  type CursorQuery,
  LIMITS,
  type ProcessAllResponse,
  type UpdateCaptionBody,
} from '@autoposter/contracts';
import {
  addReviewReasons,
  type CaptionViolation,
  checkCaption,
  composeCaption,
  creditLine,
  ITEM_FLOW,
  type ItemState,
  reviewReason,
  type StoredReviewReason,
  withoutCaptionText,
} from '@autoposter/domain';
import { Database, type ContentItem, type ItemRow, type ItemRowPage, type UnitOfWork } from '@autoposter/persistence';
import { requestStage } from '@autoposter/job-engine';
import { lockItem, moveItem, requestItemStage } from '@autoposter/workflow';
import { withSign } from '../items/item.presenter';
import { runOverAll } from '../items/run-over-all';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';

const STAGE = 'ai';
const ACTIVE = ITEM_FLOW.activeStates[STAGE];
const WAITING = ITEM_FLOW.waitingStates[STAGE];
type SeenTexts = NonNullable<UpdateCaptionBody['replaces']>;
const COMPLETED_STATES: readonly ItemState[] = ['ready', 'posted'];

@Injectable()
export class AiService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async ready(limit: number): Promise<{ rows: ItemRow[]; totalCount: number }> {
    const { itemLists } = this.database.read;
    const [rows, totalCount] = await Promise.all([itemLists.withoutCaption(limit), itemLists.countWithoutCaption()]);
    return { rows, totalCount };
  }

  completed(query: CursorQuery): Promise<ItemRowPage> {
    return this.database.read.itemLists.page(COMPLETED_STATES, query.limit, query.cursor);
  }

  /** Total, only with the first page. */
  async countCompleted(query: CursorQuery): Promise<number | undefined> {
    return query.limit === undefined || query.cursor !== undefined
      ? undefined
      : this.database.read.itemLists.countInStates(COMPLETED_STATES);
  }

  /** Replaces a postponed job with a new one that has these options. */
  process(id: string, options: CaptionOptionsBody, actor: string): Promise<AcceptedItem> {
    return this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      const request = { actor, options: { ...options, byPerson: true } };
      if (item.state !== ACTIVE || !(await uow.jobs.cancelIdle(STAGE, id))) return requestItemStage(uow, item, STAGE, request);
      const requested = await requestStage(uow, { stage: STAGE, subjectId: id, itemId: id, key: id, state: item.state, ...request });
      if (!requested.accepted) throw new Error('a job of this stage was opened for this item at the same time');
      return { id, state: item.state, jobId: requested.job.id };
    });
  }

  async processAll(body: AiProcessAllBody, actor: string): Promise<ProcessAllResponse> {
    const { batchSize, delayBetweenFiles, maxFiles, ...options } = body;
    const counts = await runOverAll(this.database, { stage: STAGE, batchSize, delayBetweenFiles, maxFiles, options, actor });
    return { ...counts, message: `Captions were requested for ${counts.processed} of ${counts.total} files.` };
  }

  /** Keeps a tombstone, so that the item is neither collected nor posted again automatically. */
  async discard(id: string, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.state === 'discarded') return;
      const allowed = ITEM_FLOW.restingStates.includes(item.state);
      if (!allowed && !(item.state === ACTIVE && (await uow.jobs.cancelIdle(STAGE, id))))
        throw new ConflictException(`This post cannot be discarded while it is ${item.state}.`);
      await uow.jobs.cancelOpen(id);
      await moveItem(uow, item, 'discarded');
      uow.history.append({ type: 'item.discarded', subjectId: id, itemId: id, state: 'discarded', actor });
      await uow.audit.record({ actor, action: 'item.discard', subject: id });
    });
  }

  /**
   * A queue item keeps the caption with which it was queued. If no model has written a caption (not requested yet, failed, or waiting for
   * quota), an edited caption makes the item ready, marked for review. Of two administrators who edit the same text, the second one is told.
   */
  async updateCaption(id: string, { caption, hashtags, replaces }: UpdateCaptionBody, actor: string): Promise<ItemRow> {
    const { maxHashtags } = this.settings;
    assertWithinLimits(checkCaption(caption, { maxHashtags }));
    await this.database.unitOfWork(async (uow) => {
      const item = await lockItem(uow, id);
      if (item.state === 'posting' || item.state === 'posted')
        throw new ConflictException(`The caption of a published post cannot be changed; this one is ${item.state}.`);
      if (item.state === ACTIVE && !(await uow.jobs.cancelIdle(STAGE, id)))
        throw new ConflictException('A new caption is being written right now and would replace this text.');
      const before = await uow.captions.of(id);
      if (replaces !== undefined && !isStored(replaces, before)) throw new ConflictException(CHANGED_MEANWHILE);
      const becomesReady = lacksModelCaption(item);
      if (!before && !becomesReady)
        throw new ConflictException(`This post is ${item.state} and has no caption yet; it gets one after DMCA protection.`);
      const credit = (await uow.permissions.stateOf(item, null)).credit ?? creditLine(item);
      const tags = hashtags === undefined ? {} : { hashtags: postableHashtags(caption, hashtags, credit, maxHashtags) };
      // checked with its credit line, as it would be queued
      const violations = composeCaption({ caption, hashtags: [], credit, maxHashtags }).violations.map((violation) => violation.message);
      const written = before ?? { itemId: id, captionModel: NO_MODEL };
      await uow.captions.save({ ...written, caption, ...tags, violations, editedBy: actor, editedAt: await uow.now() });
      const reviewReasons = withoutCaptionText(item.reviewReasons);
      if (becomesReady) await makeReady(uow, item, reviewReasons);
      else await uow.items.patch(id, { reviewReasons, needsReview: reviewReasons.length > 0 });
      uow.history.append({ type: 'item.edited', subjectId: id, itemId: id, state: becomesReady ? 'ready' : item.state, actor });
      await uow.audit.record({ actor, action: 'item.edit_caption', subject: id });
    });
    const row = await this.database.read.itemLists.find(id);
    if (!row) throw new NotFoundException('There is no such post.');
    return row;
  }
}

function assertWithinLimits(violations: readonly CaptionViolation[]): void {
  const refused = violations.filter((violation) => violation.severity === 'limit');
  if (refused.length > 0) throw new UnprocessableEntityException(refused.map((violation) => violation.message).join(' '));
}

const CHANGED_MEANWHILE = 'This caption was changed meanwhile. Check the new text, then save again to replace it.';
const NO_TEXT = { caption: '', hashtags: [] };

function isStored(seen: SeenTexts, stored: SeenTexts | null): boolean {
  const textOf = ({ caption, hashtags }: SeenTexts) => JSON.stringify([caption, withSign(hashtags)]);
  return textOf(seen) === textOf(stored ?? NO_TEXT);
}

/** The hashtags as they are posted below this caption. Refuses instead of dropping one silently. */
function postableHashtags(caption: string, hashtags: readonly string[], credit: string | null, maxHashtags: number): string[] {
  const composed = composeCaption({ caption, hashtags, credit, maxHashtags });
  assertWithinLimits(composed.violations);
  const { maxCharacters } = LIMITS.caption;
  if (composed.dropped.some(({ reason }) => reason === 'over_limit'))
    throw new UnprocessableEntityException(`Caption and hashtags have more than ${maxHashtags} hashtags together; remove some.`);
  if (composed.dropped.some(({ reason }) => reason === 'too_long'))
    throw new UnprocessableEntityException(`With its hashtags the caption has more than ${maxCharacters} characters; shorten one of them.`);
  return composed.hashtags;
}

/** Recorded as the model of a caption that an administrator wrote. */
const NO_MODEL = 'person';

const lacksModelCaption = ({ state, failedStage }: ContentItem): boolean =>
  state === WAITING || state === ACTIVE || (state === 'failed' && failedStage === STAGE);

async function makeReady(uow: UnitOfWork, item: ContentItem, stored: readonly StoredReviewReason[]): Promise<void> {
  const reviewReasons = addReviewReasons(stored, [reviewReason('written_by_hand')]);
  await moveItem(uow, item, 'ready', { failedStage: null, needsReview: true, reviewReasons });
}
