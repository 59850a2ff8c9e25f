import type { Claim, CreateClaimBody } from '../api/rights.api';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const createClaimBodySample: CreateClaimBody = { title: 'Valley at dawn', claimant: 'North Light Pictures', itemId: SAMPLE_ID };
export const claimSample: Claim = {
  id: SAMPLE_ID,
  title: 'Valley at dawn',
  claimant: 'North Light Pictures',
  contact: null,
  sourceUrl: null,
  note: null,
  status: 'active',
  fingerprints: 12,
  createdBy: 'ada@example.com',
  createdAt: SAMPLE_TIME,
  held: { blocked: 2, flagged: 1, out: [{ id: SAMPLE_ID, title: 'Morning fog rolling over the valley' }] },
};
export const claimsQuerySample = { status: 'active', page: '1' };
