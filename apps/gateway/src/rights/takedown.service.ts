import {
  type AnswerNoticeBody,
  type CasesQuery,
  type CloseNoticeBody,
  type CounterNoticeBody,
  type CreateNoticeBody,
  type ErrorCode,
  type MoveCaseBody,
  type Notice,
  type NoticeDetail,
  type NoticesQuery,
  type NoticeStatus,
  type RightsCaseView,
  type Strikes,
} from '@autoposter/contracts';
import {
  type ClaimTarget,
  deadlinesOf,
  draftAnswer,
  type Failure,
  isAmong,
  missingElements,
  type Recognition,
  REPEAT_INFRINGER,
  STRIKES,
  targetsOf,
} from '@autoposter/domain';
import {
  Database,
  type NewNotice,
  type NoticeRow,
  type RepeatInfringer,
  type RightsCase,
  targetedPost,
  type UnitOfWork,
} from '@autoposter/persistence';
import { moveCase } from '@autoposter/workflow';
import { ConflictException, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { MatchesService } from './matches.service';
import { distinctTargets, RightsService, urlTargets, workOf } from './rights.service';
import { namingOf, strike } from './upheld-notice';

const ITEM_PAGE = /\/items\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/iu;
/** Statuses of a notice that is not closed. */
const OPEN: readonly NoticeStatus[] = ['received', 'incomplete', 'acting', 'answered', 'countered'];
/** What becomes of the claim of a notice that is not upheld. */
const CLAIM_AFTER = { restored: 'disputed', rejected: 'withdrawn' } as const;
const UPHELD_WITHOUT_CLAIM =
  'The claim of this notice was withdrawn, so it cannot be upheld. Close it as rejected, or record the notice again if the claim holds.';
/** By which the clock of a browser may be fast. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

/** Takedown notices from their arrival to their answer. */
@Injectable()
export class TakedownService {
  constructor(
    private readonly database: Database,
    private readonly rights: RightsService,
    private readonly matches: MatchesService,
  ) {}

  async page({ page, limit }: NoticesQuery): Promise<{ notices: Notice[]; total: number }> {
    const { notices, total } = await this.database.read.notices.page((page - 1) * limit, limit);
    return { notices: notices.map(presentNotice), total };
  }

  async cases({ state, page, limit }: CasesQuery): Promise<{ cases: RightsCaseView[]; total: number }> {
    const { cases, total } = await this.database.read.cases.page(state ?? null, (page - 1) * limit, limit);
    return { cases: await this.presentCases(cases), total };
  }

  async strikes(): Promise<Strikes> {
    const { accounts, strikes } = await this.database.read.notices.strikes();
    const iso = (at: Date | null) => at?.toISOString() ?? null;
    return {
      active: accounts.reduce((sum, { active }) => sum + active, 0),
      accounts,
      pausesAt: STRIKES.pausesAt,
      strikes: strikes.map(({ struckAt, expiresAt, clearedAt, ...strike }) => ({
        ...strike,
        struckAt: struckAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        clearedAt: iso(clearedAt),
      })),
    };
  }

  async find(id: string): Promise<NoticeDetail> {
    const notice = await this.notice(id);
    const cases = await this.database.read.cases.ofNotice(id);
    return {
      ...presentNotice(notice),
      cases: await this.presentCases(cases),
      draft: draftAnswer(notice, cases, await this.recognition(notice)),
      repeatedAuthors: (await this.repeatInfringers(id)).map(({ author, notices }) => ({ author, notices })),
    };
  }

  /** A complete notice becomes a claim: named and matching posts are held back, published ones become cases. */
  async create(body: CreateNoticeBody, actor: string): Promise<NoticeDetail> {
    const { receivedAt, reference, contact, work, signature, ...rest } = body;
    const notice: NewNotice = {
      ...{ id: uuidv7(), claimId: null, createdBy: actor, status: 'acting', receivedAt: new Date(receivedAt) },
      ...{ reference: reference ?? null, contact: contact ?? null, work: work ?? null, signature: signature ?? null },
      ...rest,
    };
    await this.assertArrived(notice.receivedAt);
    const missing = missingElements({ ...notice, counterReceivedAt: null });
    if (missing.length > 0) await this.keepIncomplete(notice, actor, missing);
    else await this.act(notice, actor);
    return this.find(notice.id);
  }

  async answer(id: string, { answer }: AnswerNoticeBody, actor: string): Promise<NoticeDetail> {
    const { status, version, answer: sent } = await this.notice(id);
    // a claimant is answered also where the notice was closed first, once
    if (!OPEN.includes(status) && sent !== null)
      throw new ConflictException(`This notice is ${status} already, and its claimant has an answer.`);
    const next = status === 'acting' || status === 'received' ? 'answered' : status;
    return this.change(id, actor, 'rights.notice.answer', (uow) => uow.notices.answered(id, version, next, answer));
  }

  /** Also after the notice was upheld, because a counter notice usually answers the removal: the notice is open again until its outcome. */
  async counter(id: string, { receivedAt, sender, statement }: CounterNoticeBody, actor: string): Promise<NoticeDetail> {
    const notice = await this.notice(id);
    if (notice.status !== 'upheld') assertOpen(notice);
    const { version, claimId, receivedAt: noticeReceivedAt } = notice;
    if (claimId === null || notice.counterReceivedAt !== null)
      throw new ConflictException('A counter notice answers a notice that was acted on, once.');
    const counterReceivedAt = new Date(receivedAt);
    await this.assertArrived(counterReceivedAt);
    if (counterReceivedAt < noticeReceivedAt) throw new UnprocessableEntityException('A counter notice arrives after its notice.');
    return this.change(id, actor, 'rights.notice.counter', (uow) =>
      uow.notices.countered(id, version, counterReceivedAt, { sender, statement }),
    );
  }

  /**
   * `upheld` is a strike against the account and names repeat infringers; `restored` needs a counter notice whose window has begun, and
   * the claim no longer stops posts; `rejected` withdraws it. After a counter notice the strike of a notice that was upheld before stays, or
   * is cleared.
   */
  async close(id: string, { outcome }: CloseNoticeBody, actor: string): Promise<NoticeDetail> {
    const { version, claimId, reference, claimant, counterReceivedAt, receivedAt } = await this.openNotice(id);
    const { restoreFrom } = deadlinesOf({ receivedAt, counterReceivedAt });
    const now = await this.database.read.now();
    if (outcome === 'upheld' && claimId === null)
      throw new ConflictException('Only a complete notice can be upheld; record it again with what it lacked.');
    if (outcome === 'restored' && (restoreFrom === null || now < restoreFrom))
      throw new ConflictException('Posts are restored only after a counter notice, at the earliest after ten business days.');
    return this.change(id, actor, `rights.notice.${outcome}`, async (uow) => {
      if (!(await uow.notices.closed(id, version, outcome))) return false;
      if (outcome === 'upheld' && claimId !== null && (await uow.claims.keepStatus(claimId)) === 'withdrawn')
        throw new ConflictException({ message: UPHELD_WITHOUT_CLAIM, code: 'claim_withdrawn' satisfies ErrorCode });
      if (outcome === 'upheld') {
        await this.claimRepeatInfringers(uow, { id, claimant }, actor);
        await strike(uow, { noticeId: id, reason: `Notice ${reference ?? id} of ${claimant}`, recordedBy: actor });
      } else if (claimId !== null) await this.rights.end(uow, claimId, { to: CLAIM_AFTER[outcome], note: `Notice ${outcome}` }, actor);
      return true;
    });
  }

  async moveCase(id: string, { action, note }: MoveCaseBody, actor: string): Promise<RightsCaseView> {
    await this.database.unitOfWork(async (uow) => {
      const found = await uow.cases.find(id);
      if (found === null) throw new NotFoundException('There is no such case.');
      if (action === 'remove' && found.state === 'open' && found.mediaId === null)
        throw new ConflictException('The id of this post on Instagram is not known. Remove it in the app, then confirm its removal here.');
      if (!(await moveCase(uow, found, MOVES[action], { actor, note }))) throw new ConflictException('This case was closed already.');
    });
    const found = await this.database.read.cases.find(id);
    const [presented] = found === null ? [] : await this.presentCases([found]);
    if (presented === undefined) throw new NotFoundException('There is no such case.');
    return presented;
  }

  private async presentCases(cases: readonly RightsCase[]): Promise<RightsCaseView[]> {
    const evidence = await this.database.read.cases.evidenceOf(cases.map(({ id }) => id));
    const matched = cases.flatMap(({ id, itemId }) =>
      (evidence.get(id)?.matches ?? []).slice(0, 1).map((match) => ({ id, itemId, match })),
    );
    const shown = await this.matches.evidence(matched);
    const matchOf = new Map(matched.map(({ id }, index) => [id, shown[index] ?? null]));
    return cases.map((found) => {
      const known = evidence.get(found.id);
      return presentCase(found, known === undefined ? null : { named: known.named, match: matchOf.get(found.id) ?? null });
    });
  }

  private async keepIncomplete(notice: NewNotice, actor: string, missing: readonly string[]): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      await uow.notices.create({ ...notice, status: 'incomplete' });
      await uow.audit.record({ actor, action: 'rights.notice', subject: notice.id, detail: { missing } });
    });
  }

  private async act(notice: NewNotice, actor: string): Promise<void> {
    const located = await this.itemsAt(notice.locations);
    const targets = await this.targetsOf(notice, located);
    const known = new Map(await Promise.all(located.map(async (id) => [id, await this.rights.printsOfItem(id)] as const)));
    const isKnown = (id: string): boolean => (known.get(id) ?? []).length > 0;
    const unknown = located.filter((id) => !isKnown(id));
    const files = await this.rights.filesOfItems([...unknown, ...located.filter(isKnown)]);
    const prints = [
      ...[...known.values()].flat(),
      ...unknown.flatMap((id) => files.get(id) ?? []).map(({ sha256 }) => ({ sha256, pdq: [] })),
    ];
    const { work, claimant, contact, reference, receivedAt } = notice;
    const claim = {
      ...{ id: uuidv7(), title: work ?? claimant, claimant, contact, createdBy: actor },
      work: workOf(notice.workUrls, [...files.values()].flat()),
      ...{ sourceUrl: notice.workUrls[0] ?? null, noticeReference: reference, noticeDate: receivedAt.toISOString().slice(0, 10) },
    };
    await this.rights.register({ claim, targets, prints, located, notice: { ...notice, claimId: claim.id } }, actor);
  }

  /**
   * The work, the located posts wherever we collect them, and the sources of located items. What we published at a location names no source:
   * its case removes it.
   */
  private async targetsOf({ workUrls, locations }: NewNotice, located: readonly string[]): Promise<ClaimTarget[]> {
    const { items, attempts } = this.database.read;
    const own = urlTargets([...(await attempts.ofItems(located)).values()].flatMap(({ permalink }) => permalink ?? []));
    const named = urlTargets(locations.filter((address) => !ITEM_PAGE.test(address))).filter((target) => !isAmong(own, target));
    const sources = (await items.findMany(located)).flatMap((item) => targetsOf(targetedPost(item)).filter(({ kind }) => kind === 'url'));
    return distinctTargets([...urlTargets(workUrls), ...named, ...sources]);
  }

  /** Items with one of these addresses: of the published post, of its page here, or of its source. */
  private async itemsAt(locations: readonly string[]): Promise<string[]> {
    const { notices, claims, items } = this.database.read;
    const pages = locations.flatMap((address) => ITEM_PAGE.exec(address)?.[1]?.toLowerCase() ?? []);
    const known = (await items.findMany(pages)).map(({ id }) => id);
    const named = (await claims.itemsNamed(urlTargets(locations))).map(({ itemId }) => itemId);
    return [...new Set([...known, ...(await notices.publishedAt(locations)), ...named])];
  }

  private async recognition({ claimId }: NoticeRow): Promise<Recognition | null> {
    return claimId === null ? null : this.database.read.claims.recognition(claimId);
  }

  /** Authors with repeated notices are claimed as a whole. A name that no claim can have is left to a person. */
  private async claimRepeatInfringers(uow: UnitOfWork, { id, claimant }: Pick<NoticeRow, 'id' | 'claimant'>, actor: string): Promise<void> {
    for (const infringer of await uow.cases.repeatInfringers(id, REPEAT_INFRINGER)) {
      const { author, platform, notices, noticeIds } = infringer;
      const { written, target } = namingOf(infringer);
      if (target === null) {
        await uow.audit.record({ actor, action: 'rights.repeat_infringer.unreadable', subject: id, detail: { platform, author, notices } });
      } else if ((await uow.claims.onTargets([target])).length === 0) {
        const about = { title: `All posts of ${written}`, claimant, note: 'Repeat infringer', upheldNotices: noticeIds };
        await this.rights.claimAuthor(uow, about, target, actor);
      }
    }
  }

  private repeatInfringers(noticeId: string): Promise<RepeatInfringer[]> {
    return this.database.read.cases.repeatInfringers(noticeId, REPEAT_INFRINGER);
  }

  /** Deadlines count from the arrival. */
  private async assertArrived(at: Date): Promise<void> {
    if (at.getTime() > (await this.database.read.now()).getTime() + CLOCK_DIFFERENCE_MS)
      throw new UnprocessableEntityException('Please give the time of the arrival, which is not in the future.');
  }

  private async change(id: string, actor: string, action: string, work: (uow: UnitOfWork) => Promise<boolean>): Promise<NoticeDetail> {
    await this.database.unitOfWork(async (uow) => {
      if (!(await work(uow))) throw new ConflictException('This notice was changed meanwhile; reload it.');
      await uow.audit.record({ actor, action, subject: id });
    });
    return this.find(id);
  }

  private async notice(id: string): Promise<NoticeRow> {
    const found = await this.database.read.notices.find(id);
    if (found === null) throw new NotFoundException('There is no such notice.');
    return found;
  }

  private async openNotice(id: string): Promise<NoticeRow> {
    const found = await this.notice(id);
    assertOpen(found);
    return found;
  }
}

function assertOpen({ status }: NoticeRow): void {
  if (!OPEN.includes(status)) throw new ConflictException(`This notice is ${status} already.`);
}

const MOVES = {
  remove: [['open'], 'removing'],
  removed: [['open', 'removing'], 'removed'],
  dismissed: [['open', 'removing'], 'dismissed'],
} as const;

const presentNotice = (notice: NoticeRow): Notice => {
  const { id, reference, claimant, contact, work, workUrls, locations, accountIds, status, claimId, answer } = notice;
  const { removeBy, answerBy, restoreFrom, restoreBy } = deadlinesOf(notice);
  return {
    ...{ id, reference, claimant, contact, work, workUrls, locations, accountIds, status, claimId, answer },
    missing: missingElements(notice),
    receivedAt: notice.receivedAt.toISOString(),
    removeBy: removeBy.toISOString(),
    answerBy: answerBy.toISOString(),
    answeredAt: notice.answeredAt?.toISOString() ?? null,
    counterReceivedAt: notice.counterReceivedAt?.toISOString() ?? null,
    restoreFrom: restoreFrom?.toISOString() ?? null,
    restoreBy: restoreBy?.toISOString() ?? null,
    closedAt: notice.closedAt?.toISOString() ?? null,
  };
};

function noteIn({ note, failure }: { note?: unknown; failure?: Failure | null }): string | null {
  if (typeof note === 'string') return note;
  return failure ? `${failure.message} ${failure.nextAction}` : null;
}

const presentCase = ({ dueAt, openedAt, closedAt, detail, ...found }: RightsCase, evidence: RightsCaseView['evidence']): RightsCaseView => {
  const { id, reason, state, itemId, title, author, itemState, claimTitle, claimStatus, noticeId, noticeReference, canRunAgain } = found;
  return {
    ...{ id, reason, state, itemId, title, author, itemState, claimTitle, claimStatus, noticeId, noticeReference, canRunAgain },
    ...{ accountId: found.accountId, permalink: found.permalink, closedBy: found.closedBy },
    note: noteIn(detail),
    evidence,
    platformMatches: found.reason === 'platform_match' && Array.isArray(detail['matches']) ? detail['matches'].map(String) : [],
    dueAt: dueAt?.toISOString() ?? null,
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
};
