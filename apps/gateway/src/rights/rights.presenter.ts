import type { Claim } from '@autoposter/contracts';

export interface ClaimRow {
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

export const presentClaim = (row: ClaimRow): Claim => ({
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
