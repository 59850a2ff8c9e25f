import type { Claim, ClaimsQuery, CreateClaimBody } from '@autoposter/contracts';
import type { FilePrints } from '@autoposter/domain';
import { Database, type ClaimedItem, type ListedClaim } from '@autoposter/persistence';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { blockClaimed } from './block-claimed';

@Injectable()
export class RightsService {
  constructor(private readonly database: Database) {}

  async page(query: ClaimsQuery): Promise<{ claims: Claim[]; total: number }> {
    const { claims, total } = await this.database.read.rights.pageOfClaims(
      query.status ?? null,
      (query.page - 1) * query.limit,
      query.limit,
    );
    return { claims: claims.map(presentClaim), total };
  }

  /** Registers a claim. New items are compared with it from now on; existing items that match are held back. */
  async create(body: CreateClaimBody, actor: string): Promise<Claim> {
    const { title, claimant, contact, sourceUrl, note } = body;
    const ofItem = body.itemId === undefined ? [] : await this.printsOf(body.itemId);
    const given: FilePrints = {
      sha256: body.sha256 ?? null,
      pdq: (body.pdqHashes ?? []).map((hash) => ({ hash, quality: 100, atSeconds: null })),
    };
    const prints = [...ofItem, given].filter((print) => print.sha256 !== null || print.pdq.length > 0);
    const claim = {
      id: uuidv7(),
      title,
      claimant,
      contact: contact ?? null,
      sourceUrl: sourceUrl ?? null,
      note: note ?? null,
      createdBy: actor,
    };
    // search before taking the register's lock; under the lock only rows added in between are searched
    const { rights } = this.database.read;
    const size = await rights.size();
    const before = await rights.findClaimed(claim, prints);
    const held = await this.database.unitOfWork(async (uow) => {
      await uow.rights.addClaim(claim, prints);
      const found = mergeClaimed(before, await uow.rights.findClaimed(claim, prints, size));
      const heldBack = await blockClaimed(uow, found, actor);
      await uow.audit.record({ actor, action: 'rights.claim', subject: claim.id, detail: { title, ...heldBack } });
      return heldBack;
    });
    return { ...(await this.find(claim.id)), held };
  }

  async withdraw(id: string, actor: string): Promise<Claim> {
    await this.find(id);
    await this.database.unitOfWork(async (uow) => {
      if (!(await uow.rights.withdrawClaim(id))) throw new ConflictException('This claim was already withdrawn.');
      await uow.audit.record({ actor, action: 'rights.withdraw', subject: id });
    });
    return this.find(id);
  }

  private async find(id: string): Promise<Claim> {
    const found = await this.database.read.rights.findClaim(id);
    if (!found) throw new NotFoundException('There is no such claim.');
    return presentClaim(found);
  }

  private async printsOf(itemId: string): Promise<FilePrints[]> {
    if ((await this.database.read.items.find(itemId)) === null) throw new NotFoundException('There is no such post.');
    const prints = await this.database.read.rights.printsOf(itemId);
    if (prints.length === 0) throw new ConflictException('This post has no fingerprints yet; run DMCA protection first.');
    return prints;
  }
}

/** The later search wins, because fingerprints of an item are replaced as a whole. Sorted by id, the common lock order. */
const mergeClaimed = (before: readonly ClaimedItem[], later: readonly ClaimedItem[]): ClaimedItem[] =>
  [...new Map([...before, ...later].map((found) => [found.itemId, found])).values()].sort((a, b) => (a.itemId < b.itemId ? -1 : 1));

const presentClaim = ({ claim, fingerprints }: ListedClaim): Claim => {
  const { id, title, claimant, contact, sourceUrl, note, status, createdBy, createdAt } = claim;
  return { id, title, claimant, contact, sourceUrl, note, status, fingerprints, createdBy, createdAt: createdAt.toISOString() };
};
