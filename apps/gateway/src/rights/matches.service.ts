import {
  type AnswerMatchBody,
  type AnswerCountView,
  type MatchEvidence,
  type MatchesQuery,
  type OpenMatchView,
  RIGHTS_STAGE,
  type RightsThresholdsBody,
} from '@autoposter/contracts';
import { checkedFile, failureOf, type ItemState, reasonsWithoutMatch, SETTING, type RightsMatch } from '@autoposter/domain';
import { Database, type ContentItem, type MatchedWork, type ListedMatch, type UnitOfWork } from '@autoposter/persistence';
import { advance, blockItemForClaim, isPublished, moveCase, openRemovalCase, removeFromQueue } from '@autoposter/workflow';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { MediaLinks } from '../media/media-links';

const NOT_THE_SAME = 'An administrator called it not the same work.';

/** Matches for an administrator to confirm or to reject. */
@Injectable()
export class MatchesService {
  constructor(
    private readonly database: Database,
    private readonly links: MediaLinks,
  ) {}

  async page({ verdict, answered, page, limit }: MatchesQuery): Promise<{ matches: OpenMatchView[]; total: number }> {
    const { answers } = this.database.read;
    const { matches, total } = await answers.page({ verdict, answered: answered !== undefined }, (page - 1) * limit, limit);
    const shown = await this.evidence(matches);
    return { matches: matches.map((match, index) => presentMatch(match, shown[index] as MatchEvidence)), total };
  }

  /** As an administrator compares them, in their order; without a picture of a file that is no longer stored. */
  async evidence(matches: readonly { itemId: string; match: RightsMatch }[]): Promise<MatchEvidence[]> {
    const sides = matches.flatMap(({ itemId, match }) => [oursOf(itemId, match), theirsOf(match)]);
    const compared = await this.database.read.answers.compared(sides);
    const stored = new Map(compared.map((file) => [`${file.id} ${file.file}`, file.mediaType]));
    const show = ({ id, file, atSeconds }: Side): MatchEvidence['ours'] => {
      const mediaType = stored.get(`${id} ${file}`);
      return mediaType === undefined ? null : { url: this.links.to('compared', id, file), mediaType, atSeconds };
    };
    return matches.map(({ itemId, match }) => presentEvidence(match, show(oursOf(itemId, match)), show(theirsOf(match))));
  }

  counts(): Promise<AnswerCountView[]> {
    return this.database.read.answers.counts();
  }

  thresholds(): Promise<RightsThresholdsBody> {
    return this.database.read.rights.thresholds();
  }

  async setThresholds(thresholds: RightsThresholdsBody, actor: string): Promise<RightsThresholdsBody> {
    return this.database.unitOfWork(async (uow) => {
      const before = await uow.rights.thresholds();
      await uow.settings.set(SETTING.rightsThresholds, thresholds, actor);
      await uow.audit.record({ actor, action: 'rights.thresholds', detail: { before, after: thresholds } });
      return thresholds;
    });
  }

  /**
   * `different` releases the item from this work for good: a blocked one goes through DMCA protection again, which no longer finds the work;
   * a flagged one loses the reason, and the case of a published one is dismissed. `same` blocks the item, unless it is about to be published;
   * a published one becomes a case. An answer can be replaced by the other one, also after DMCA protection no longer found the work. The first
   * answer is also that of other posts that are flagged for the same work with the same file.
   */
  async answer({ itemId, other, answer }: AnswerMatchBody, actor: string): Promise<{ itemId: string; state: string }> {
    return this.database.unitOfWork(async (uow) => {
      const asked = (await decisionAbout(uow, itemId, other)).found;
      const equal = asked === null ? [] : await uow.answers.openWithSameFile(itemId, other, asked.match.file ?? 0);
      // by id, the common lock order
      for (const id of [itemId, ...equal].sort()) {
        const item = await uow.items.findForUpdate(id);
        const { found, matches } = await decisionAbout(uow, id, other);
        const sameFileAs = id === itemId ? null : itemId;
        if (sameFileAs !== null) {
          // what was found before the lock may be over, or answered by another person
          if (found?.verdict !== 'flagged' || item === null || ASKED_ALONE.includes(item.state)) continue;
          if ((await uow.answers.find(id, other)) !== null) continue;
        }
        if (item === null || found === null) throw new NotFoundException('This post has no such match.');
        await settle(uow, item, { ...found, matches }, { other, answer, sameFileAs }, actor);
      }
      const state = await uow.items.stateOf(itemId);
      if (state === null) throw new Error('an item that is locked was deleted');
      return { itemId, state };
    });
  }
}

/** A post in one of these states needs more than the answer about an equal file. */
const ASKED_ALONE: readonly ItemState[] = ['blocked', 'posting', 'deleted', 'discarded'];

interface Answered {
  verdict: 'flagged' | 'blocked';
  match: RightsMatch;
}

/** The match of the latest decision, or the one that was answered, and all matches of that decision. */
async function decisionAbout(
  uow: UnitOfWork,
  itemId: string,
  other: MatchedWork,
): Promise<{ found: Answered | null; matches: readonly RightsMatch[] }> {
  const decision = (await uow.rights.decisionOf(itemId)) ?? { verdict: 'clear', matches: [] };
  return { found: answerable(decision, other) ?? (await uow.answers.find(itemId, other)), matches: decision.matches };
}

/** Saves the answer about one item, with what follows from it. Requires the lock of the item. */
async function settle(
  uow: UnitOfWork,
  item: ContentItem,
  { verdict, match, matches }: Answered & { matches: readonly RightsMatch[] },
  { other, answer, sameFileAs }: Omit<AnswerMatchBody, 'itemId'> & { sameFileAs: string | null },
  actor: string,
): Promise<void> {
  const { id: itemId } = item;
  await uow.answers.save({ id: uuidv7(), itemId, other, answer, verdict, match, answeredBy: actor });
  await uow.provenance.append(itemId, 'answer', { other, answer, match, actor, sameFileAs });
  if (answer === 'different' && other.kind === 'claim') await dismissCase(uow, itemId, other.id, actor);
  await (answer === 'different' ? release(uow, item, { match, matches }, actor) : confirm(uow, item, match, actor));
  const detail = { other, answer, verdict, by: match.by, distance: match.distance, sameFileAs };
  await uow.audit.record({ actor, action: 'rights.answer', subject: itemId, detail });
}

async function dismissCase(uow: UnitOfWork, itemId: string, claimId: string, actor: string): Promise<void> {
  const id = await uow.cases.openOf(itemId, claimId);
  const found = id === null ? null : await uow.cases.find(id);
  if (found !== null) await moveCase(uow, found, [['open', 'removing'], 'dismissed'], { actor, note: NOT_THE_SAME });
}

/** The match of the latest decision. */
function answerable(
  { verdict, matches }: { verdict: 'clear' | 'flagged' | 'blocked'; matches: readonly RightsMatch[] },
  { kind, id }: MatchedWork,
) {
  const match = matches.find((found) => found.kind === kind && found.id === id);
  return verdict === 'clear' || match === undefined ? null : { verdict, match };
}

async function release(
  uow: UnitOfWork,
  item: ContentItem,
  { match, matches }: { match: RightsMatch; matches: readonly RightsMatch[] },
  actor: string,
): Promise<void> {
  if (item.state === 'blocked') {
    const moved = await advance(uow, item, { by: 'person', wants: RIGHTS_STAGE }, { actor });
    if (moved.outcome !== 'entered') throw new ConflictException('This post cannot go through DMCA protection now.');
    return;
  }
  const files = await uow.rights.printsOf(item.id);
  const hashes = files.map(({ sha256 }) => sha256);
  const others = await uow.answers.judged(item.id, hashes, matches);
  const reviewReasons = reasonsWithoutMatch(item.reviewReasons, match, others, files.map(checkedFile));
  await uow.items.patch(item.id, { reviewReasons, needsReview: reviewReasons.length > 0 });
}

/** States in which a post cannot be blocked: it is blocked already, published, or deleted. */
const STAYS: readonly ItemState[] = ['blocked', 'posted', 'deleted', 'discarded'];

async function confirm(uow: UnitOfWork, item: ContentItem, match: RightsMatch, actor: string): Promise<void> {
  // an own post is no claimed work: nothing has to be removed for it
  if (match.kind === 'claim' && (await isPublished(uow, item))) await openRemovalCase(uow, item, match.id);
  if (STAYS.includes(item.state)) return;
  if (item.state === 'posting') throw new ConflictException('This post is being published; wait for its result.');
  if (item.state === 'queued') await removeFromQueue(uow, item.id);
  await uow.jobs.cancelOpen(item.id);
  await blockItemForClaim(uow, item, failureOf('claimed_work', { fields: { title: match.title } }), actor);
}

/** A file of the item or of the work, and the second of its frame. */
interface Side {
  id: string;
  file: number;
  atSeconds: number | null;
}

const oursOf = (itemId: string, { file = 0, nearest, segment }: Partial<RightsMatch>): Side => ({
  id: itemId,
  file,
  atSeconds: nearest?.ours ?? segment?.ours.fromSeconds ?? null,
});

const theirsOf = ({ id, nearest, segment }: RightsMatch): Side => ({
  id,
  file: nearest?.theirFile ?? 0,
  atSeconds: nearest?.theirs ?? segment?.theirs.fromSeconds ?? null,
});

/** Matches of earlier programs have neither shares nor views. */
function presentEvidence(match: RightsMatch, ours: MatchEvidence['ours'], theirs: MatchEvidence['theirs']): MatchEvidence {
  const { by, distance, matched, compared } = match;
  const found: Partial<RightsMatch> = match;
  const { file = 0, shareOfOurs = null, shareOfTheirs = null, views = ['full', 'full'], segment = null, comparison = null } = found;
  return { by, distance, matched, compared, file, shareOfOurs, shareOfTheirs, views: [...views], segment, comparison, ours, theirs };
}

const presentMatch = (listed: ListedMatch, evidence: MatchEvidence): OpenMatchView => {
  const { itemId, title, state, verdict, match, decidedAt, answered } = listed;
  return {
    ...{ itemId, title, state, verdict, ...evidence },
    other: { kind: match.kind, id: match.id, title: match.title },
    decidedAt: decidedAt.toISOString(),
    answered: answered && { ...answered, at: answered.at.toISOString() },
  };
};
