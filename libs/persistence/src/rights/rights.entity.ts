import type { ClaimedWork, ClaimScope, ClaimStatus } from '@autoposter/contracts';
import type { RightsMatch } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  BOOLEAN,
  ID,
  ID_LIST_OR_NULL,
  INTEGER,
  INTEGER_OR_NULL,
  JSON_OR_NULL,
  JSON_VALUE,
  REAL_LIST_OR_NULL,
  REAL_OR_NULL,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../database/columns';

/** The rights decision about an item, and the item's provenance. */
@Entity('rights_verdicts')
export class RightsDecisionRow {
  @PrimaryColumn(ID) itemId!: string;
  @Column(TEXT) verdict!: 'clear' | 'flagged' | 'blocked';
  @Column(JSON_VALUE) reasons!: string[];
  @Column(JSON_VALUE) matches!: RightsMatch[];
  @Column(JSON_VALUE) provenance!: Record<string, unknown>;
  @Column(TIME) decidedAt!: Date;
}

/** A file hash or an image hash (PDQ, 64 hex digits) of a claim or an item. */
@Entity('fingerprints')
export class FingerprintRow {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) ownerKind!: 'claim' | 'item';
  @Column(ID) ownerId!: string;
  @Column(TEXT_OR_NULL) sha256!: string | null;
  @Column(TEXT_OR_NULL) pdqHash!: string | null;
  @Column(INTEGER_OR_NULL) pdqQuality!: number | null;
  @Column(REAL_OR_NULL) atSeconds!: number | null;
  /** Number of the file in its item or claim. */
  @Column(INTEGER) fileNo!: number;
  /** `null` for the whole picture. */
  @Column(TEXT_OR_NULL) view!: string | null;
  /** Left, top, right, bottom as fractions; `null` for the whole picture. */
  @Column(REAL_LIST_OR_NULL) region!: number[] | null;
  @Column(BOOLEAN) mirrored!: boolean;
  @Column(REAL_OR_NULL) spanSeconds!: number | null;
  @Column(BOOLEAN) isQuery!: boolean;
  @Column(BOOLEAN) isReference!: boolean;
  @Column(TIME) createdAt!: Date;
}

/** A claimed work in the rights register. */
@Entity('rights_claims')
export class RightsClaim {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) title!: string;
  @Column(TEXT) claimant!: string;
  @Column(TEXT_OR_NULL) contact!: string | null;
  @Column(TEXT_OR_NULL) sourceUrl!: string | null;
  @Column(TEXT_OR_NULL) note!: string | null;
  @Column(TEXT) status!: ClaimStatus;
  /** Why the status was changed last. */
  @Column(TEXT_OR_NULL) statusNote!: string | null;
  /** The claimant's own reference of the notice, and its day (`YYYY-MM-DD`). */
  @Column(TEXT_OR_NULL) noticeReference!: string | null;
  @Column(TEXT_OR_NULL) noticeDate!: string | null;
  /** What is claimed. A claim on the sound alone does not match pictures. */
  @Column(TEXT) scope!: ClaimScope;
  /** When the claim ends; `null` for never. */
  @Column(TIME_OR_NULL) expiresAt!: Date | null;
  /** The file of the work, once it is or will be uploaded. */
  @Column(JSON_OR_NULL) work!: ClaimedWork | null;
  /** Of a claim on a repeat infringer: the notices that made the author one. `null` for any other claim. */
  @Column(ID_LIST_OR_NULL) upheldNotices!: string[] | null;
  @Column(TEXT) createdBy!: string;
  @Column(TIME) createdAt!: Date;
}

export type OwnerKind = 'claim' | 'item';

/** A claim or item that may hold one of the searched files. */
export interface CandidateWork {
  kind: OwnerKind;
  id: string;
  title: string;
  /** Whether it is an item that we published. */
  published: boolean;
}

/** What was committed after a number of the register: all claims, and the items up to another number. */
export interface NumberRange {
  after: number;
  /** Default: all items. */
  itemsBefore?: number;
}
