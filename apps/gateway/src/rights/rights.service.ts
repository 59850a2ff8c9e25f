import type { Claim, ClaimsQuery, CreateClaimBody } from '@autoposter/contracts';
import { PDQ_MIN_QUALITY } from '@autoposter/domain';
import { Database, type ClaimedItem, type NewFingerprint } from '@autoposter/persistence';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { blockClaimed } from './block-claimed';

const SELECT = `
  SELECT c.*, (SELECT count(*)::int FROM fingerprints f WHERE f.owner_kind = 'claim' AND f.owner_id = c.id) AS fingerprints
  FROM rights_claims c`;

@Injectable()
export class RightsService {
  constructor(private readonly database: Database) {}

  async page(query: ClaimsQuery): Promise<{ claims: Claim[]; total: number }> {
    const where = '($1::text IS NULL OR c.status = $1)';
    const rows = await this.database.sql.query<ClaimRow>(`${SELECT} WHERE ${where} ORDER BY c.created_at DESC, c.id LIMIT $2 OFFSET $3`, [
      query.status ?? null,
      query.limit,
      (query.page - 1) * query.limit,
    ]);
    const [count] = await this.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM rights_claims c WHERE ${where}`, [
      query.status ?? null,
    ]);
    return { claims: rows.map(presentClaim), total: count?.n ?? 0 };
  }

  /** Puts a work on the register: what is collected from now on is compared with it, and what is here and shows it is held back. */
  async create(body: CreateClaimBody, actor: string): Promise<Claim> {
    const { title, claimant, contact, sourceUrl, note } = body;
    const ofItem = body.itemId === undefined ? [] : await this.printsOf(body.itemId);
    const given: NewFingerprint = {
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
    // the register is searched before its lock; under it only what came meanwhile
    const { rights } = this.database.read;
    const size = await rights.size();
    const before = await rights.findClaimed(claim, prints);
    const held = await this.database.unitOfWork(async (uow) => {
      await uow.rights.addClaim(claim, prints);
      const found = newestOf(before, await uow.rights.findClaimed(claim, prints, size));
      const heldBack = await blockClaimed(uow, found, actor);
      await uow.audit.record({ actor, action: 'rights.claim', subject: claim.id, detail: { title, ...heldBack } });
      return heldBack;
    });
    return { ...(await this.find(claim.id)), held };
  }

  async withdraw(id: string, actor: string): Promise<Claim> {
    await this.find(id);
    await this.database.unitOfWork(async (uow) => {
      if (!(await uow.rights.withdrawClaim(id))) throw new ConflictException('This claim was withdrawn already.');
      await uow.audit.record({ actor, action: 'rights.withdraw', subject: id });
    });
    return this.find(id);
  }

  private async find(id: string): Promise<Claim> {
    const [row] = await this.database.sql.query<ClaimRow>(`${SELECT} WHERE c.id = $1`, [id]);
    if (!row) throw new NotFoundException('There is no such claim.');
    return presentClaim(row);
  }

  private async printsOf(itemId: string): Promise<NewFingerprint[]> {
    if ((await this.database.read.items.find(itemId)) === null) throw new NotFoundException('There is no such post.');
    const prints = await this.database.read.rights.fingerprintsOf(itemId);
    if (prints.length === 0) throw new ConflictException('This post has no fingerprints yet; it has to go through DMCA protection first.');
    return prints.map(({ sha256, pdqHash: hash, pdqQuality, atSeconds }) => {
      const quality = pdqQuality ?? 0;
      return { sha256, pdq: hash !== null && quality >= PDQ_MIN_QUALITY ? [{ hash, quality, atSeconds }] : [] };
    });
  }
}

/** An item's prints are replaced as a whole, so what was found later says all about it. In one order, as all lock items. */
const newestOf = (before: readonly ClaimedItem[], later: readonly ClaimedItem[]): ClaimedItem[] =>
  [...new Map([...before, ...later].map((found) => [found.itemId, found])).values()].sort((a, b) => (a.itemId < b.itemId ? -1 : 1));

interface ClaimRow {
  id: string;
  title: string;
  claimant: string;
  contact: string | null;
  source_url: string | null;
  note: string | null;
  status: Claim['status'];
  fingerprints: number;
  created_by: string;
  created_at: Date;
}

const presentClaim = (row: ClaimRow): Claim => ({
  id: row.id,
  title: row.title,
  claimant: row.claimant,
  contact: row.contact,
  sourceUrl: row.source_url,
  note: row.note,
  status: row.status,
  fingerprints: row.fingerprints,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
});
