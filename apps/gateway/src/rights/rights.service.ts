import {
  type AllowBody,
  CLAIM_TARGETS,
  type ChangeClaimBody,
  type Claim,
  type ClaimedWork,
  claimedWork,
  type ClaimsQuery,
  type ClaimStatus,
  type CreateClaimBody,
  FETCH_WORK_STAGE,
  filesOfWork,
  type HeldBack,
  MAX_WORK_FILES,
  REGISTER_STAGE,
  type Stage,
  type WorkFile,
} from '@autoposter/contracts';
import { claimTarget, type ClaimTarget, failureOf, type FilePrints, reviewReason } from '@autoposter/domain';
import {
  Database,
  type AllowEntry,
  type ClaimedItem,
  type ListedClaim,
  type MediaFile,
  type NewClaim,
  type NewNotice,
  type UnitOfWork,
} from '@autoposter/persistence';
import { claimedSource, type ClaimFinding, findingsOf, holdBack, requestForClaim, stopRemovals } from '@autoposter/workflow';
import { ConflictException, Injectable, NotFoundException, UnprocessableEntityException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { clearStrikes, reviseAuthorClaims } from './upheld-notice';

/** A claim with everything that it is recognised by. */
interface Registration {
  claim: NewClaim & { id: string };
  targets: readonly ClaimTarget[];
  prints: readonly FilePrints[];
  /** Items that the claimant named. */
  located?: readonly string[];
  notice?: NewNotice | null;
}

interface Sweep {
  claim: { id: string; title: string };
  targets: readonly ClaimTarget[];
  found: readonly ClaimedItem[];
  located?: readonly string[];
}

const namedWork = (title: string) => failureOf('claimed_work', { fields: { title } });

@Injectable()
export class RightsService {
  constructor(private readonly database: Database) {}

  async page(query: ClaimsQuery): Promise<{ claims: Claim[]; total: number }> {
    const { claims, total } = await this.database.read.rights.pageOfClaims(
      query.status ?? null,
      (query.page - 1) * query.limit,
      query.limit,
    );
    return { claims: await this.present(claims), total };
  }

  /**
   * Registers a claim. New posts are compared with it from now on; collected ones that match are held back, also before their download
   * where the claim names them.
   */
  async create(body: CreateClaimBody, actor: string): Promise<Claim> {
    const targets = targetsIn(body);
    await this.assertFuture(body.expiresAt);
    const ofItem = body.itemId === undefined ? [] : await this.printsOf(body.itemId);
    const given: FilePrints = {
      sha256: body.sha256 ?? null,
      pdq: (body.pdqHashes ?? []).map((hash) => ({ hash, quality: 100, atSeconds: null })),
    };
    const prints = [...ofItem, given].filter((print) => print.sha256 !== null || print.pdq.length > 0);
    const files = body.itemId === undefined ? [] : [...(await this.filesOfItems([body.itemId])).values()].flat();
    const claim = { ...claimFields(body, files), id: uuidv7(), createdBy: actor };
    const held = await this.register({ claim, targets, prints }, actor);
    return { ...(await this.find(claim.id)), held };
  }

  /**
   * Writes a claim, with its notice, and holds back matching posts, posts that the claim names, and items that the claimant located.
   */
  async register({ claim, targets, prints, located = [], notice = null }: Registration, actor: string): Promise<HeldBack> {
    // search before taking the register's lock; under the lock only rows added in between are searched
    const { rights } = this.database.read;
    const size = await rights.size();
    const before = await rights.findClaimed(claim, prints);
    return this.database.unitOfWork((uow) =>
      this.registerIn(uow, { claim, targets, prints, located, notice }, actor, async () =>
        mergeClaimed(before, await uow.rights.findClaimed(claim, prints, size)),
      ),
    );
  }

  /** Claims all posts of an author, in the transaction that gives the reason for it. */
  claimAuthor(
    uow: UnitOfWork,
    about: Pick<NewClaim, 'title' | 'claimant' | 'note' | 'upheldNotices'>,
    target: ClaimTarget,
    actor: string,
  ): Promise<HeldBack> {
    const claim = { ...about, id: uuidv7(), createdBy: actor };
    return this.registerIn(uow, { claim, targets: [target], prints: [] }, actor, () => Promise.resolve([]));
  }

  private async registerIn(
    uow: UnitOfWork,
    { claim, targets, prints, located = [], notice = null }: Registration,
    actor: string,
    find: () => Promise<ClaimedItem[]>,
  ): Promise<HeldBack> {
    await uow.rights.addClaim(claim, prints);
    await uow.claims.addTargets(claim.id, targets);
    const stage = claim.work && NEXT_STAGE[claim.work.state];
    if (stage) await requestForClaim(uow, stage, claim.id, { actor, forPerson: true });
    if (notice !== null) await uow.notices.create(notice);
    const heldBack = await this.sweep(uow, { claim, targets, found: await find(), located }, actor);
    if (notice !== null)
      await uow.audit.record({ actor, action: 'rights.notice', subject: notice.id, detail: { claimId: claim.id, missing: [] } });
    await uow.audit.record({ actor, action: 'rights.claim', subject: claim.id, detail: { title: claim.title, targets, ...heldBack } });
    return heldBack;
  }

  /** Disputes, withdraws or reactivates a claim. A claim that is active again is compared with everything that was collected meanwhile. */
  async change(id: string, { status, note, expiresAt }: ChangeClaimBody, actor: string): Promise<Claim> {
    const { claim } = await this.listed(id);
    const { status: from } = claim;
    if (!mayBecome(from, status))
      throw new ConflictException(
        from === 'withdrawn' ? 'This claim was already withdrawn.' : `A claim that is ${from} cannot become ${status}.`,
      );
    await this.assertFuture(expiresAt);
    const becomesActive = status === 'active';
    const { rights } = this.database.read;
    const size = becomesActive ? await rights.size() : 0;
    const prints = becomesActive ? await rights.printsOfClaim(id) : [];
    const before = becomesActive ? await rights.findClaimed(claim, prints) : [];
    const held = await this.database.unitOfWork(async (uow) => {
      const ends = expiresAt === undefined ? null : new Date(expiresAt);
      if (becomesActive) await uow.cases.resumeDeadlines(id);
      if (!(await uow.claims.setStatus(id, { from, to: status, note: note ?? null, expiresAt: ends })))
        throw new ConflictException('This claim was changed meanwhile.');
      const targets = (await uow.claims.targetsOf([id])).get(id) ?? [];
      if (becomesActive) await uow.rights.renumberClaim(id);
      const found = becomesActive ? mergeClaimed(before, await uow.rights.findClaimed(claim, prints, size)) : [];
      const heldBack = becomesActive ? await this.sweep(uow, { claim, targets, found }, actor) : null;
      if (status === 'disputed') await stopRemovals(uow, id, actor);
      if (status === 'withdrawn') {
        await dismissCases(uow, id, actor, WITHDRAWN);
        await this.undoUpheld(uow, id, actor);
      }
      await uow.audit.record({
        actor,
        action: CHANGES[status],
        subject: id,
        detail: { from, to: status, note: note ?? null, ...heldBack },
      });
      return heldBack;
    });
    return { ...(await this.find(id)), ...(held === null ? {} : { held }) };
  }

  /** Ends the claim of a notice, in the transaction that closes it: posts that are not taken down yet stay, and it is no strike. */
  async end(uow: UnitOfWork, id: string, { to, note }: { to: 'disputed' | 'withdrawn'; note: string }, actor: string): Promise<void> {
    const from = (await uow.rights.findClaim(id))?.claim.status ?? 'withdrawn';
    if (mayBecome(from, to)) {
      if (!(await uow.claims.setStatus(id, { from, to, note, expiresAt: null })))
        throw new ConflictException('This claim was changed meanwhile.');
      await uow.audit.record({ actor, action: CHANGES[to], subject: id, detail: { from, to, note } });
    }
    await dismissCases(uow, id, actor, note);
    await this.undoUpheld(uow, id, actor);
  }

  /** A notice that was upheld, and then withdrawn by its claimant or ended by a counter notice, is no strike and counts against no author. */
  private async undoUpheld(uow: UnitOfWork, claimId: string, actor: string): Promise<void> {
    for (const noticeId of await clearStrikes(uow, claimId, actor))
      for (const id of await reviseAuthorClaims(uow, noticeId)) await this.end(uow, id, { to: 'withdrawn', note: NOT_REPEATED }, actor);
  }

  /** Posts that were held back before stay so: DMCA protection runs again for them. */
  async allow(id: string, { kind, named, reason, expiresAt }: AllowBody, actor: string): Promise<Claim> {
    const { claim } = await this.listed(id);
    if (claim.status === 'withdrawn') throw new ConflictException('This claim was already withdrawn.');
    const target = claimTarget(kind, named);
    if (target === null) throw new UnprocessableEntityException(UNREADABLE[kind]);
    await this.assertFuture(expiresAt);
    const ends = expiresAt === undefined ? null : new Date(expiresAt);
    await this.database.unitOfWork(async (uow) => {
      await uow.claims.allow({ id: uuidv7(), claimId: id, ...target, reason, expiresAt: ends, createdBy: actor });
      await uow.audit.record({ actor, action: 'rights.allow', subject: id, detail: { ...target, reason, expiresAt: expiresAt ?? null } });
    });
    return this.find(id);
  }

  async endAllow(entryId: string, actor: string): Promise<Claim> {
    const claimId = await this.database.unitOfWork(async (uow) => {
      const ended = await uow.claims.endAllow(entryId);
      if (ended === null) throw new NotFoundException('There is no such entry in force.');
      const { claimId: subject, ...detail } = ended;
      await uow.audit.record({ actor, action: 'rights.end_allow', subject, detail });
      return subject;
    });
    return this.find(claimId);
  }

  withdraw(id: string, actor: string): Promise<Claim> {
    return this.change(id, { status: 'withdrawn' }, actor);
  }

  /** A claim that ended already would hold posts back until the scheduler sees that; such an exception would allow nothing. */
  private async assertFuture(expiresAt: string | undefined): Promise<void> {
    if (expiresAt !== undefined && new Date(expiresAt) <= (await this.database.read.now()))
      throw new UnprocessableEntityException('Please give an end in the future.');
  }

  /** Holds back everything that the claim matches by fingerprint or names. */
  private async sweep(uow: UnitOfWork, { claim, targets, found, located = [] }: Sweep, actor: string): Promise<HeldBack> {
    const named = targets.length === 0 ? [] : await this.namedItems(uow, claim, targets);
    const reasons = [reviewReason('shows_claimed_work', { title: claim.title })];
    const failure = namedWork(claim.title);
    const listed = located.map((itemId): ClaimFinding => ({ itemId, verdict: 'blocked', reasons, failure, named: 'location' }));
    const findings = new Map<string, ClaimFinding>();
    // what a post shows of the work stays known where the claim names it as well
    for (const finding of [...findingsOf(found), ...named, ...listed])
      findings.set(finding.itemId, { ...findings.get(finding.itemId), ...finding });
    // by id, the common lock order
    const ordered = [...findings.values()].sort((a, b) => (a.itemId < b.itemId ? -1 : 1));
    return holdBack(uow, ordered, { actor, claimId: claim.id });
  }

  private async namedItems(uow: UnitOfWork, { id, title }: Sweep['claim'], targets: readonly ClaimTarget[]): Promise<ClaimFinding[]> {
    await uow.allowMinutes(2);
    const named = await uow.claims.itemsNamed(targets, await uow.claims.allowEntries([id]));
    const reasons = [reviewReason('shows_claimed_work', { title })];
    return named.map(({ itemId, target }) => ({
      ...{ itemId, verdict: 'blocked', reasons, failure: claimedSource({ title, target }) },
      named: target.kind,
    }));
  }

  async find(id: string): Promise<Claim> {
    const [claim] = await this.present([await this.listed(id)]);
    if (claim === undefined) throw new Error('a claim was not presented');
    return claim;
  }

  private async present(listed: readonly ListedClaim[]): Promise<Claim[]> {
    const ids = listed.map(({ claim }) => claim.id);
    const [targets, allowed] = await Promise.all([this.database.read.claims.targetsOf(ids), this.database.read.claims.allowEntries(ids)]);
    return listed.map((one) =>
      presentClaim(
        one,
        targets.get(one.claim.id) ?? [],
        allowed.filter(({ claimId }) => claimId === one.claim.id),
      ),
    );
  }

  private async listed(id: string): Promise<ListedClaim> {
    const found = await this.database.read.rights.findClaim(id);
    if (!found) throw new NotFoundException('There is no such claim.');
    return found;
  }

  /** The files of an item as they are recognised; none before DMCA protection. */
  printsOfItem(itemId: string): Promise<FilePrints[]> {
    return this.database.read.rights.printsOf(itemId);
  }

  /**
   * The files of these items, in their order: the originals, else what was made of them. As files of a claim they get the views for cropped
   * copies of a video, which the prints of an item lack.
   */
  async filesOfItems(itemIds: readonly string[]): Promise<Map<string, WorkFile[]>> {
    const stored = await this.database.read.media.ofItems(itemIds);
    return new Map(
      itemIds.map((id) => {
        const of = (role: MediaFile['role']) => (stored.get(id) ?? []).filter((file) => file.role === role).map(workFile);
        const originals = of('original');
        return [id, originals.length > 0 ? originals : of('processed')];
      }),
    );
  }

  private async printsOf(itemId: string): Promise<FilePrints[]> {
    if ((await this.database.read.items.find(itemId)) === null) throw new NotFoundException('There is no such post.');
    const prints = await this.printsOfItem(itemId);
    if (prints.length === 0) throw new ConflictException('This post has no fingerprints yet; run DMCA protection first.');
    return prints;
  }
}

/** The later search wins, because fingerprints of an item are replaced as a whole. Sorted by id, the common lock order. */
const mergeClaimed = (before: readonly ClaimedItem[], later: readonly ClaimedItem[]): ClaimedItem[] =>
  [...new Map([...before, ...later].map((found) => [found.itemId, found])).values()].sort((a, b) => (a.itemId < b.itemId ? -1 : 1));

const CHANGES = { active: 'rights.reactivate', disputed: 'rights.dispute', withdrawn: 'rights.withdraw' } as const;

const WITHDRAWN = 'The claim was withdrawn.';
const NOT_REPEATED = 'The author is no repeat infringer any more.';

/** Nothing is taken down for a claim that is over. What was taken down or stopped before stays recorded as it is. */
async function dismissCases(uow: UnitOfWork, claimId: string, actor: string, note: string): Promise<void> {
  for (const id of await uow.cases.dismissOfClaim(claimId, actor, note))
    await uow.audit.record({ actor, action: 'rights.case.dismissed', subject: id, detail: { note } });
}

/** A withdrawn claim stays withdrawn; it can only be replaced by a new claim. */
const mayBecome = (from: ClaimStatus, to: ClaimStatus): boolean => from !== 'withdrawn' && from !== to;

/** What a claim names besides the work. Throws for what names nothing, except for addresses of the work: a worker reports what it finds. */
function targetsIn({ sourceUrl, author, subreddit, workUrls = [] }: CreateClaimBody): ClaimTarget[] {
  const written = { url: sourceUrl, author, subreddit };
  const named = CLAIM_TARGETS.flatMap((kind) => {
    const text = written[kind];
    if (text === undefined) return [];
    const target = claimTarget(kind, text);
    if (target === null) throw new UnprocessableEntityException(UNREADABLE[kind]);
    return [target];
  });
  return distinctTargets([...named, ...urlTargets(workUrls)]);
}

/** The targets of those addresses that name one post or file. */
export const urlTargets = (addresses: readonly string[]): ClaimTarget[] =>
  addresses.flatMap((address) => claimTarget('url', address) ?? []);

export const distinctTargets = (targets: readonly ClaimTarget[]): ClaimTarget[] => [
  ...new Map(targets.map((target) => [`${target.kind} ${target.key}`, target])).values(),
];

const UNREADABLE = {
  url: 'This address names no single post or file. Give the address that a link to share leads to, or claim an author or a subreddit by its name.',
  author: 'Please write the author as u/name for Reddit or @name for Instagram.',
  subreddit: 'Please write the subreddit as r/name.',
} as const;

/** The stage that a work in this state needs. */
const NEXT_STAGE: Partial<Record<ClaimedWork['state'], Stage>> = { requested: FETCH_WORK_STAGE, stored: REGISTER_STAGE };

const workFile = ({ objectKey, sha256, bytes, mediaType }: MediaFile): WorkFile => ({ objectKey, sha256, bytes, mediaType });

/** The work at these addresses and in these files. */
export function workOf(urls: readonly string[], files: readonly WorkFile[]): ClaimedWork | null {
  const known = files.slice(0, MAX_WORK_FILES);
  if (urls.length > 0) return claimedWork('requested', known, { urls: [...urls] });
  return known.length === 0 ? null : claimedWork('stored', known);
}

const claimFields = (body: CreateClaimBody, files: readonly WorkFile[]) => ({
  title: body.title,
  claimant: body.claimant,
  contact: body.contact ?? null,
  sourceUrl: body.sourceUrl ?? null,
  note: body.note ?? null,
  noticeReference: body.noticeReference ?? null,
  noticeDate: body.noticeDate ?? null,
  scope: body.scope ?? 'audiovisual',
  expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
  work: body.upload === true ? claimedWork('awaited', []) : workOf(body.workUrls ?? [], files),
});

const presentClaim = ({ claim, fingerprints }: ListedClaim, targets: ClaimTarget[], allowed: readonly AllowEntry[]): Claim => {
  const { id, title, claimant, contact, sourceUrl, note, status, statusNote, scope, noticeReference, noticeDate, createdBy } = claim;
  return {
    ...{ id, title, claimant, contact, sourceUrl, note, status, statusNote, scope, noticeReference, noticeDate, fingerprints, createdBy },
    targets,
    allowed: allowed.map(({ claimId: _claim, expiresAt, createdAt, ...entry }) => ({
      ...entry,
      expiresAt: expiresAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    })),
    work: claim.work === null ? null : presentWork(claim.work),
    expiresAt: claim.expiresAt?.toISOString() ?? null,
    createdAt: claim.createdAt.toISOString(),
  };
};

const presentWork = (work: ClaimedWork): Claim['work'] => {
  const { state, bytes, sha256, mediaType, message, urls = [], missed = [], unreadable = [] } = work;
  return { state, bytes, sha256, mediaType, message, files: filesOfWork(work).length - unreadable.length, urls, missed, unreadable };
};
