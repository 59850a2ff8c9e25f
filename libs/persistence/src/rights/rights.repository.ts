import {
  type CheckedFile,
  checkedFile,
  DEFAULT_RIGHTS_THRESHOLDS,
  type FilePrints,
  hitsBetween,
  matchesOf,
  type RightsMatch,
  type RightsThresholds,
  SETTING,
  soundMatchesOf,
  PRINTS_VERSION,
} from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { SqlRepository } from '../database/sql-repository';
import { SettingRepository } from '../setting/setting.repository';
import { type JobClaim, JobRepository } from '../stage-job/stage-job.repository';
import { LOCKS } from '../database/transaction';
import { AnswerRepository, judgedBy } from './answers.repository';
import { ClaimRepository } from './claims.repository';
import { FingerprintRepository } from './prints.repository';
import { SoundRepository } from './sounds.repository';
import { type OwnerKind, type NumberRange, RightsClaim, RightsDecisionRow } from './rights.entity';

/** Matches of the same work are replaced; what blocks an item stays a block. */
const ADD_MATCHES = `
  INSERT INTO rights_verdicts AS v (item_id, verdict, reasons, matches, provenance) VALUES ($1, $2, $3::jsonb, $4::jsonb, '{}')
  ON CONFLICT (item_id) DO UPDATE SET verdict = CASE v.verdict WHEN 'blocked' THEN v.verdict ELSE excluded.verdict END,
    reasons = v.reasons || excluded.reasons, decided_at = now(), matches = excluded.matches || coalesce((
      SELECT jsonb_agg(old) FROM jsonb_array_elements(v.matches) AS old
      WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements(excluded.matches) AS new WHERE new->>'kind' = old->>'kind' AND new->>'id' = old->>'id')), '[]')`;

class DecisionRepository extends SqlRepository<RightsDecisionRow> {
  protected readonly entity = RightsDecisionRow;

  save(decision: Omit<RightsDecisionRow, 'decidedAt'>): Promise<RightsDecisionRow | null> {
    return this.insert(
      decision,
      `ON CONFLICT (item_id) DO UPDATE SET verdict = excluded.verdict, reasons = excluded.reasons, matches = excluded.matches,
         provenance = excluded.provenance, decided_at = now()`,
    );
  }

  ofItems(itemIds: readonly string[]): Promise<RightsDecisionRow[]> {
    return this.rows('SELECT * FROM rights_verdicts WHERE item_id = ANY($1::uuid[])', [itemIds]);
  }
}

/** With an `id`, a claim can be compared with the register before it is written. */
export type NewClaim = Pick<RightsClaim, 'title' | 'claimant' | 'createdBy'> & Partial<Omit<RightsClaim, 'status' | 'createdAt'>>;

interface AddedMatches {
  verdict: 'flagged' | 'blocked';
  reasons: readonly string[];
  matches: readonly RightsMatch[];
}

/** A claim whose work is looked for among the items. */
export type MatchedClaim = Pick<RightsClaim, 'id' | 'title'> & Partial<Pick<RightsClaim, 'scope'>>;

/** An item that matches a claimed work. */
export interface ClaimedItem {
  itemId: string;
  /** One per file of the item that shows the work. */
  matches: RightsMatch[];
  /** How much of each file of the item can be compared. */
  files: CheckedFile[];
}

/** A claim with the number of its fingerprints. */
export interface ListedClaim {
  claim: RightsClaim;
  fingerprints: number;
}

/** A work that the pictures show already needs no flag for its sound. */
const withSounds = (seen: readonly RightsMatch[], sounds: readonly RightsMatch[]): RightsMatch[] => [
  ...seen,
  ...sounds.filter(({ kind, id }) => !seen.some((match) => match.kind === kind && match.id === id && match.strength !== 'pass')),
];

const LISTED_CLAIM = `
  SELECT c.*, (SELECT count(*)::int FROM fingerprints f WHERE f.owner_kind = 'claim' AND f.owner_id = c.id) AS fingerprints
  FROM rights_claims c`;

/** The register of claimed works, the fingerprints of claims and items, and the rights decisions. */
export class RightsRepository extends SqlRepository<RightsClaim> {
  protected readonly entity = RightsClaim;
  private readonly decisions = new DecisionRepository(this.manager);
  private readonly fingerprints = new FingerprintRepository(this.manager);
  private readonly sounds = new SoundRepository(this.manager);
  private readonly answers = new AnswerRepository(this.manager);
  private readonly claims = new ClaimRepository(this.manager);
  private readonly settings = new SettingRepository(this.manager);
  private readonly jobs = new JobRepository(this.manager);

  /** The thresholds of new decisions. */
  async thresholds(): Promise<RightsThresholds> {
    const stored = await this.settings.get<Partial<RightsThresholds>>(SETTING.rightsThresholds);
    const names = Object.keys(DEFAULT_RIGHTS_THRESHOLDS) as (keyof RightsThresholds)[];
    // earlier programs stored thresholds that no longer exist
    return Object.fromEntries(names.map((name) => [name, stored?.[name] ?? DEFAULT_RIGHTS_THRESHOLDS[name]])) as RightsThresholds;
  }

  /** The greatest number of the register; entries committed later get greater ones. */
  async size(): Promise<number> {
    return (await this.value<number>('SELECT max(no) FROM register_entries')) ?? 0;
  }

  /** Newest first; `status` `null` for all. */
  async pageOfClaims(
    status: RightsClaim['status'] | null,
    offset: number,
    limit: number,
  ): Promise<{ claims: ListedClaim[]; total: number }> {
    const where = '($1::text IS NULL OR c.status = $1)';
    const [claims, total] = await Promise.all([
      this.listedClaims(`WHERE ${where} ORDER BY c.created_at DESC, c.id LIMIT $2 OFFSET $3`, [status, limit, offset]),
      this.count(`SELECT count(*)::int FROM rights_claims c WHERE ${where}`, [status]),
    ]);
    return { claims, total };
  }

  async findClaim(id: string): Promise<ListedClaim | null> {
    return (await this.listedClaims('WHERE c.id = $1', [id]))[0] ?? null;
  }

  /** Gives a claim that is active again the next number, so that an item whose check is under way finds it. */
  async renumberClaim(id: string): Promise<void> {
    await this.lockForClaim();
    await this.fingerprints.number('claim', id);
  }

  async addClaim(claim: NewClaim, prints: readonly FilePrints[]): Promise<RightsClaim> {
    await this.lockForClaim();
    const row = await this.insert({ ...claim, id: claim.id ?? uuidv7() });
    if (row === null) throw new Error('the claim was not inserted');
    await this.fingerprints.replace('claim', row.id, prints);
    await this.fingerprints.number('claim', row.id, PRINTS_VERSION);
    return row;
  }

  /** Adds files to those that a claim is recognised by; the same file replaces its earlier prints. */
  async addClaimPrints(id: string, prints: readonly FilePrints[]): Promise<void> {
    await this.lockForClaim();
    const added = new Set(prints.map(({ sha256 }) => sha256));
    const others = (await this.printsOfClaim(id)).filter(({ sha256 }) => sha256 === null || !added.has(sha256));
    await this.fingerprints.replace('claim', id, [...others, ...prints]);
    await this.fingerprints.number('claim', id, PRINTS_VERSION);
  }

  /** The files that a claim is recognised by. */
  async printsOfClaim(id: string): Promise<FilePrints[]> {
    return (await this.fingerprints.filesOf([{ kind: 'claim', id }])).get(`claim ${id}`) ?? [];
  }

  /**
   * Replaces the item's fingerprints and returns its number. Commit at once: items are written side by side, but numbered one after the other.
   * Whoever searches the register after this commit finds everything with a smaller number, so that of two alike the later finds the earlier.
   * Throws unless `holder` still holds its job: a worker that was frozen would give an item a greater number than that of its check.
   * With `version` `null` the prints count as those of the earlier version until `setUpToDate`.
   */
  async saveFingerprints(
    itemId: string,
    prints: readonly FilePrints[],
    holder?: JobClaim,
    version: number | null = PRINTS_VERSION,
  ): Promise<number> {
    // a claim that searches the items now either finds this one or is committed before the search for this item
    await this.run('SELECT pg_advisory_xact_lock_shared($1)', [LOCKS.register]);
    if (holder !== undefined && !(await this.jobs.lockHeld(holder))) throw new Error('the job is held by another worker');
    await this.fingerprints.replace('item', itemId, prints);
    await this.run('SELECT pg_advisory_xact_lock($1)', [LOCKS.registerNumbers]);
    return this.fingerprints.number('item', itemId, version);
  }

  /** The newest claim or item whose prints an earlier version made, although its files are stored. */
  outdated(ownerKind: OwnerKind): Promise<string | null> {
    return this.fingerprints.outdated(ownerKind, PRINTS_VERSION);
  }

  /** Its prints are as good as its files allow. */
  async setUpToDate(ownerKind: OwnerKind, ownerId: string): Promise<void> {
    await this.fingerprints.setVersion(ownerKind, ownerId, PRINTS_VERSION);
  }

  async saveDecision(decision: Omit<RightsDecisionRow, 'decidedAt'>): Promise<void> {
    await this.decisions.save(decision);
  }

  /** Adds the matches of a later claim to the decision about an item. */
  async addMatches(itemId: string, { verdict, reasons, matches }: AddedMatches): Promise<void> {
    await this.run(ADD_MATCHES, [itemId, verdict, JSON.stringify(reasons), JSON.stringify(matches)]);
  }

  async decisionOf(itemId: string): Promise<RightsDecisionRow | null> {
    return (await this.decisions.ofItems([itemId]))[0] ?? null;
  }

  /** The files of an item as they are recognised; empty before the rights check. */
  async printsOf(itemId: string): Promise<FilePrints[]> {
    return (await this.fingerprints.filesOf([{ kind: 'item', id: itemId }])).get(`item ${itemId}`) ?? [];
  }

  /**
   * Active claims and other items with an equal or similar file, with the evidence. Omits claims that allow the item, and items that were refused
   * or removed without being published. With `between` it reads only entries committed in that range.
   */
  async findMatches(itemId: string, files: readonly FilePrints[], between?: NumberRange): Promise<RightsMatch[]> {
    const works = await this.fingerprints.findCandidates(itemId, files, between);
    const heard = await this.sounds.findCandidates(itemId, files, between);
    if (works.length + heard.length === 0) return [];
    const prints = await this.fingerprints.filesOf([...works, ...heard]);
    const theirs = (work: { kind: string; id: string }) => prints.get(`${work.kind} ${work.id}`) ?? [];
    const hits = works.flatMap((work) => hitsBetween(files, work, theirs(work)));
    const thresholds = await this.thresholds();
    const seen = matchesOf(files, hits, (hit) => theirs(hit)[hit.their?.file ?? 0]?.preview ?? null, thresholds);
    const sounds = soundMatchesOf(
      files,
      heard.map((work) => ({ work, files: theirs(work) })),
      thresholds,
    );
    const matches = withSounds(seen, sounds);
    const allowing = await this.claims.allowing(
      itemId,
      matches.flatMap(({ kind, id }) => (kind === 'claim' ? [id] : [])),
    );
    return this.answers.judged(
      itemId,
      files.map(({ sha256 }) => sha256),
      matches.filter(({ id }) => !allowing.has(id)),
    );
  }

  /**
   * Items in any state that match a claimed work. Search the whole register before the claim is written, and afterwards only what is newer than
   * `since` (the earlier result of `size`).
   */
  async findClaimed({ id, title, scope }: MatchedClaim, claimed: readonly FilePrints[], since?: number): Promise<ClaimedItem[]> {
    const pictured = await this.fingerprints.findShowing(claimed, since);
    const heard = new Set(scope === 'visual' ? [] : await this.sounds.findHaving(claimed, since));
    const showing = [...new Set([...pictured, ...heard])];
    const answers = await this.answers.about({ kind: 'claim', id }, showing);
    const allowed = await this.claims.allowedItems(id, showing);
    const items = showing.filter((item) => !allowed.has(item));
    if (items.length === 0) return [];
    const prints = await this.fingerprints.filesOf(items.map((item) => ({ kind: 'item', id: item })));
    const thresholds = await this.thresholds();
    return items.flatMap((itemId) => {
      const files = prints.get(`item ${itemId}`) ?? [];
      const work = { kind: 'claim', id, title, published: false } as const;
      // a claim on the sound alone does not match pictures
      const hits = hitsBetween(files, work, claimed).filter(({ ours }) => ours === null || scope !== 'audio');
      const seen = matchesOf(files, hits, (hit) => claimed[hit.their?.file ?? 0]?.preview ?? null, thresholds);
      const sounds = heard.has(itemId) ? soundMatchesOf(files, [{ work, files: claimed }], thresholds) : [];
      const hashes = files.map(({ sha256 }) => sha256);
      const matches = judgedBy(answers.get(itemId) ?? [], hashes, withSounds(seen, sounds));
      return matches.length === 0 ? [] : [{ itemId, matches, files: files.map(checkedFile) }];
    });
  }

  /** Items that are written now are committed first, and others wait until this transaction ends. */
  private async lockForClaim(): Promise<void> {
    await this.run('SELECT pg_advisory_xact_lock($1)', [LOCKS.register]);
  }

  private async listedClaims(condition: string, parameters: readonly unknown[]): Promise<ListedClaim[]> {
    const { rows } = await this.run<Record<string, unknown>>(`${LISTED_CLAIM} ${condition}`, parameters);
    return rows.map((row) => ({ claim: this.toEntity(row), fingerprints: row['fingerprints'] as number }));
  }
}
