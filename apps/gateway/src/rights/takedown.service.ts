import type {
  AnswerNoticeBody,
  CasesQuery,
  CloseNoticeBody,
  CounterNoticeBody,
  CreateNoticeBody,
  MoveCaseBody,
  Notice,
  NoticeDetail,
  NoticesQuery,
  NoticeStatus,
  RightsCaseView,
  Strikes,
} from '@autoposter/contracts';
import { claimTarget, type ClaimTarget, deadlinesOf, draftAnswer, missingElements, REPEAT_INFRINGER, STRIKES } from '@autoposter/domain';
import { Database, type NewNotice, type NoticeRow, type RightsCase } from '@autoposter/persistence';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { PublishingService } from '../publishing/publishing.service';
import { RightsService } from './rights.service';

const ITEM_PAGE = /\/items\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/iu;
/** Statuses of a notice that is not closed. */
const OPEN: readonly NoticeStatus[] = ['received', 'incomplete', 'acting', 'answered', 'countered'];
const STRIKES_ACTOR = 'strike rule';

/** Takedown notices from their arrival to their answer. */
@Injectable()
export class TakedownService {
  constructor(
    private readonly database: Database,
    private readonly rights: RightsService,
    private readonly publishing: PublishingService,
  ) {}

  async page({ page, limit }: NoticesQuery): Promise<{ notices: Notice[]; total: number }> {
    const { notices, total } = await this.database.read.notices.page((page - 1) * limit, limit);
    return { notices: notices.map(presentNotice), total };
  }

  async cases({ state, page, limit }: CasesQuery): Promise<{ cases: RightsCaseView[]; total: number }> {
    const { cases, total } = await this.database.read.cases.page(state ?? null, (page - 1) * limit, limit);
    return { cases: cases.map(presentCase), total };
  }

  async strikes(): Promise<Strikes> {
    const { active, strikes } = await this.database.read.notices.strikes();
    const iso = (at: Date | null) => at?.toISOString() ?? null;
    return {
      active,
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
      cases: cases.map(presentCase),
      draft: draftAnswer(notice, cases),
      repeatedAuthors: await this.repeatedAuthors(cases),
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
    const missing = missingElements({ ...notice, counterReceivedAt: null });
    if (missing.length > 0) await this.keepIncomplete(notice, actor, missing);
    else await this.act(notice, actor);
    return this.find(notice.id);
  }

  async answer(id: string, { answer }: AnswerNoticeBody, actor: string): Promise<NoticeDetail> {
    const { status, version } = await this.openNotice(id);
    const next = status === 'acting' || status === 'received' ? 'answered' : status;
    return this.change(id, actor, 'rights.notice.answer', (uow) => uow.notices.answered(id, version, next, answer));
  }

  async counter(id: string, { receivedAt, sender, statement }: CounterNoticeBody, actor: string): Promise<NoticeDetail> {
    const { status, version, claimId } = await this.openNotice(id);
    if (claimId === null || status === 'countered')
      throw new ConflictException('A counter notice answers a notice that was acted on, once.');
    return this.change(id, actor, 'rights.notice.counter', (uow) =>
      uow.notices.countered(id, version, new Date(receivedAt), { sender, statement }),
    );
  }

  /**
   * `upheld` is a strike against the account and names repeat infringers; `restored` needs a counter notice whose window has begun, and
   * the claim no longer stops posts; `rejected` withdraws it.
   */
  async close(id: string, { outcome }: CloseNoticeBody, actor: string): Promise<NoticeDetail> {
    const { version, claimId, reference, claimant, counterReceivedAt, receivedAt } = await this.openNotice(id);
    const { restoreFrom } = deadlinesOf({ receivedAt, counterReceivedAt });
    const now = await this.database.read.now();
    if (outcome === 'restored' && (restoreFrom === null || now < restoreFrom))
      throw new ConflictException('Posts are restored only after a counter notice, at the earliest after ten business days.');
    if (claimId !== null && outcome !== 'upheld') {
      const status = outcome === 'restored' ? 'disputed' : 'withdrawn';
      const claim = await this.rights.find(claimId);
      if (claim.status !== status && claim.status !== 'withdrawn')
        await this.rights.change(claimId, { status, note: `Notice ${outcome}` }, actor);
    }
    const closed = await this.change(id, actor, `rights.notice.${outcome}`, async (uow) => {
      const reason = `Notice ${reference ?? id} of ${claimant}`;
      if (outcome === 'upheld') await uow.notices.strike({ id: uuidv7(), noticeId: id, reason, recordedBy: actor }, STRIKES.countDays);
      return uow.notices.closed(id, version, outcome);
    });
    if (outcome === 'upheld') await this.applyStrikes(closed, actor);
    return closed;
  }

  async moveCase(id: string, { action, note }: MoveCaseBody, actor: string): Promise<RightsCaseView> {
    const [from, to] = MOVES[action];
    await this.database.unitOfWork(async (uow) => {
      const found = await uow.cases.find(id);
      if (found === null) throw new NotFoundException('There is no such case.');
      const moved = await uow.cases.move(id, from, to, actor, note === undefined ? {} : { note });
      if (!moved) throw new ConflictException('This case was closed already.');
      if (to === 'removed' && (await uow.items.findForUpdate(found.itemId)) !== null) {
        const { itemId, mediaId, permalink, claimTitle } = found;
        await uow.provenance.append(itemId, 'removed', { caseId: id, mediaId, permalink, claimTitle, note: note ?? null, actor });
      }
      await uow.audit.record({ actor, action: `rights.case.${to}`, subject: id, detail: { note: note ?? null } });
    });
    const found = await this.database.read.cases.find(id);
    if (found === null) throw new NotFoundException('There is no such case.');
    return presentCase(found);
  }

  private async keepIncomplete(notice: NewNotice, actor: string, missing: readonly string[]): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      await uow.notices.create({ ...notice, status: 'incomplete' });
      await uow.audit.record({ actor, action: 'rights.notice', subject: notice.id, detail: { missing } });
    });
  }

  private async act(notice: NewNotice, actor: string): Promise<void> {
    const located = await this.itemsAt(notice.locations);
    const targets = urlTargets(notice.workUrls);
    const prints = (await Promise.all(located.map((id) => this.rights.printsOfItem(id)))).flat();
    const { work, claimant, contact, reference, receivedAt } = notice;
    const claim = {
      ...{ id: uuidv7(), title: work ?? claimant, claimant, contact, createdBy: actor },
      ...{ sourceUrl: notice.workUrls[0] ?? null, noticeReference: reference, noticeDate: receivedAt.toISOString().slice(0, 10) },
    };
    await this.rights.register({ claim, targets, prints, located, notice: { ...notice, claimId: claim.id } }, actor);
  }

  /** Items that were published at one of these addresses, whose page or whose source it is. */
  private async itemsAt(locations: readonly string[]): Promise<string[]> {
    const { notices, claims, items } = this.database.read;
    const pages = locations.flatMap((address) => ITEM_PAGE.exec(address)?.[1]?.toLowerCase() ?? []);
    const known = (await items.findMany(pages)).map(({ id }) => id);
    const named = (await claims.itemsNamed(urlTargets(locations))).map(({ itemId }) => itemId);
    return [...new Set([...known, ...(await notices.publishedAt(locations)), ...named])];
  }

  /** Publishing stops at the agreed number of strikes; authors with repeated cases are claimed as a whole. */
  private async applyStrikes({ id, claimant, repeatedAuthors, cases }: NoticeDetail, actor: string): Promise<void> {
    const { active } = await this.database.read.notices.strikes();
    if (active >= STRIKES.pausesAt) await this.publishing.pause(STRIKES_ACTOR);
    for (const { author } of repeatedAuthors) {
      const platform = (await this.database.read.items.find(cases.find((one) => one.author === author)?.itemId ?? id))?.platform;
      const written = platform === 'instagram' ? `@${author}` : `u/${author}`;
      if ((await this.database.read.claims.onTargets(authorTargets(written))).length > 0) continue;
      await this.rights.create({ title: `All posts of ${written}`, claimant, author: written, note: 'Repeat infringer' }, actor);
    }
  }

  private async repeatedAuthors(cases: readonly RightsCase[]): Promise<NoticeDetail['repeatedAuthors']> {
    const authors = [...new Set(cases.flatMap(({ author }) => author ?? []))];
    const counted = await Promise.all(
      authors.map(async (author) => ({
        author,
        cases: await this.database.read.cases.upheldAgainst(author, REPEAT_INFRINGER.withinDays),
      })),
    );
    return counted.filter((one) => one.cases >= REPEAT_INFRINGER.cases);
  }

  private async change(
    id: string,
    actor: string,
    action: string,
    work: (uow: Parameters<Parameters<Database['unitOfWork']>[0]>[0]) => Promise<boolean>,
  ): Promise<NoticeDetail> {
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
    if (!OPEN.includes(found.status)) throw new ConflictException(`This notice is ${found.status} already.`);
    return found;
  }
}

const MOVES = {
  remove: [['open'], 'removing'],
  removed: [['open', 'removing'], 'removed'],
  dismissed: [['open', 'removing'], 'dismissed'],
} as const;

const urlTargets = (addresses: readonly string[]): ClaimTarget[] => addresses.flatMap((address) => claimTarget('url', address) ?? []);

const authorTargets = (written: string): ClaimTarget[] => [claimTarget('author', written)].flatMap((target) => target ?? []);

const presentNotice = (notice: NoticeRow): Notice => {
  const { id, reference, claimant, contact, work, workUrls, locations, status, claimId, answer } = notice;
  const { removeBy, answerBy, restoreFrom, restoreBy } = deadlinesOf(notice);
  return {
    ...{ id, reference, claimant, contact, work, workUrls, locations, status, claimId, answer },
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

const presentCase = ({ dueAt, openedAt, closedAt, detail, ...found }: RightsCase): RightsCaseView => {
  const { id, reason, state, itemId, title, author, itemState, claimTitle, noticeId, permalink, closedBy } = found;
  return {
    ...{ id, reason, state, itemId, title, author, itemState, claimTitle, noticeId, permalink, closedBy },
    note: typeof detail['note'] === 'string' ? detail['note'] : null,
    dueAt: dueAt?.toISOString() ?? null,
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
};
