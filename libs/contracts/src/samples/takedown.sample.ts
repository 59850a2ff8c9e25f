import type { Evidence, EvidenceKey } from '../api/evidence.api';
import type { AnswerCountView, MatchEvidence, OpenMatchView, RightsThresholdsBody } from '../api/rights-matches.api';
import type { OriginalityState } from '../api/originality.api';
import type { PermissionView } from '../api/permissions.api';
import type { CreateNoticeBody, NoticeDetail, RightsCaseView, Strikes } from '../api/takedown.api';
import { ENVIRONMENT_ACCOUNT_ID } from '../vocabulary';
import { SAMPLE_ID, SAMPLE_TIME } from './items.sample';

const matchEvidenceSample: MatchEvidence = {
  by: 'pdq',
  distance: 28,
  matched: 2,
  compared: 24,
  file: 0,
  shareOfOurs: 0.4,
  shareOfTheirs: 0.75,
  views: ['full', 'mirrored'],
  segment: { ours: { fromSeconds: 2, toSeconds: 8 }, theirs: { fromSeconds: 12, toSeconds: 18 }, offsetSeconds: 10 },
  comparison: null,
  ours: { url: `/api/media/compared/${SAMPLE_ID}?expires=1`, mediaType: 'video', atSeconds: 3.5 },
  theirs: { url: `/api/media/compared/${SAMPLE_ID}?expires=2`, mediaType: 'video', atSeconds: 13.5 },
};
export const openMatchSample: OpenMatchView = {
  itemId: SAMPLE_ID,
  title: 'Morning fog rolling over the valley',
  state: 'ready',
  verdict: 'flagged',
  other: { kind: 'claim', id: SAMPLE_ID, title: 'Valley at dawn' },
  ...matchEvidenceSample,
  decidedAt: SAMPLE_TIME,
  answered: null,
};
export const answerCountSample: AnswerCountView = { verdict: 'flagged', rule: 'video', from: 0.4, confirmed: 3, rejected: 1 };
export const originalitySample: OriginalityState = {
  holdReposts: true,
  maxRepostShare: 0.5,
  windowDays: 30,
  minPosts: 5,
  posts: { original: 4, edited: 1, collaboration: 2, repost: 5 },
  repostShare: 5 / 12,
  repostsLeft: 2,
  othersNeeded: 0,
};
export const permissionSample: PermissionView = {
  id: SAMPLE_ID,
  kind: 'author',
  key: 'reddit:fog_watcher',
  grantor: 'Fog Watcher',
  contact: 'fog@example.com',
  status: 'granted',
  request: 'Hello Fog Watcher, may we show your posts?',
  answer: 'Yes, with credit.',
  answeredAt: SAMPLE_TIME,
  credit: 'Video: @fog_watcher',
  collaborator: 'fog.watcher',
  proof: { bytes: 120_000, sha256: 'ab'.repeat(32), contentType: 'image/png', url: `/api/media/compared/${SAMPLE_ID}?expires=1` },
  earlierProofs: [],
  expiresAt: null,
  revokedAt: null,
  revokeReason: null,
  createdBy: 'admin@example.com',
  createdAt: SAMPLE_TIME,
};
/** Before its answer. */
export const requestedPermissionSample: PermissionView = {
  ...permissionSample,
  status: 'requested',
  answer: null,
  answeredAt: null,
  credit: null,
  collaborator: null,
  proof: null,
  earlierProofs: [],
};
export const rightsThresholdsSample: RightsThresholdsBody = {
  videoBlockShare: 0.7,
  videoFlagShare: 0.25,
  videoExcerptSeconds: 4,
  pictureCorrelation: 0.65,
  pictureLeastAlike: 0.82,
  soundBitErrors: 0.22,
  soundSeconds: 6,
};

export const rightsCaseSample: RightsCaseView = {
  id: SAMPLE_ID,
  reason: 'notice',
  state: 'open',
  itemId: SAMPLE_ID,
  title: 'Morning fog rolling over the valley',
  author: 'fog_watcher',
  accountId: ENVIRONMENT_ACCOUNT_ID,
  itemState: 'posted',
  claimTitle: 'Valley at dawn',
  claimStatus: 'active',
  noticeId: SAMPLE_ID,
  noticeReference: 'NL-2026-17',
  canRunAgain: false,
  permalink: 'https://www.instagram.com/reel/C1a2b3/',
  dueAt: SAMPLE_TIME,
  openedAt: SAMPLE_TIME,
  closedAt: null,
  closedBy: null,
  note: null,
  evidence: { named: 'location', match: matchEvidenceSample },
  platformMatches: [],
};
export const noticeSample: NoticeDetail = {
  id: SAMPLE_ID,
  reference: 'NL-2026-17',
  claimant: 'North Light Pictures',
  contact: 'law@northlight.example',
  work: 'Valley at dawn',
  workUrls: ['https://northlight.example/valley.jpg'],
  locations: ['https://www.instagram.com/reel/C1a2b3/'],
  accountIds: [ENVIRONMENT_ACCOUNT_ID],
  status: 'acting',
  missing: [],
  claimId: SAMPLE_ID,
  receivedAt: SAMPLE_TIME,
  removeBy: SAMPLE_TIME,
  answerBy: SAMPLE_TIME,
  answer: null,
  answeredAt: null,
  counterReceivedAt: null,
  restoreFrom: null,
  restoreBy: null,
  closedAt: null,
  cases: [rightsCaseSample],
  draft: 'Dear North Light Pictures, we received your notice.',
  repeatedAuthors: [{ author: 'fog_watcher', notices: 2 }],
};
export const createNoticeBodySample: CreateNoticeBody = {
  reference: 'NL-2026-17',
  receivedAt: SAMPLE_TIME,
  claimant: 'North Light Pictures',
  contact: 'law@northlight.example',
  work: 'Valley at dawn',
  workUrls: ['https://northlight.example/valley.jpg'],
  locations: ['https://www.instagram.com/reel/C1a2b3/'],
  goodFaith: true,
  accurate: true,
  signature: 'N. Light',
};
export const strikesSample: Strikes = {
  active: 1,
  accounts: [{ accountId: ENVIRONMENT_ACCOUNT_ID, active: 1 }],
  pausesAt: 3,
  strikes: [
    {
      id: SAMPLE_ID,
      reason: 'Notice NL-2026-17',
      noticeId: SAMPLE_ID,
      accountId: ENVIRONMENT_ACCOUNT_ID,
      struckAt: SAMPLE_TIME,
      expiresAt: SAMPLE_TIME,
      clearedAt: null,
    },
  ],
};
export const evidenceKeySample: EvidenceKey = { keyId: '23'.repeat(32), publicKey: 'MCowBQYDK2VwAyEA' };
export const evidenceSample: Evidence = {
  format: 'autoposter-evidence-4',
  generatedAt: SAMPLE_TIME,
  item: {
    id: SAMPLE_ID,
    platform: 'reddit',
    sourceId: '1abcde',
    originalUrl: 'https://www.reddit.com/r/EarthPorn/comments/1abcde/morning_fog/',
    title: 'Morning fog rolling over the valley',
    author: 'fog_watcher',
    subreddit: 'EarthPorn',
    state: 'posted',
  },
  records: [{ seq: 1, kind: 'source', recordedAt: SAMPLE_TIME, body: '{}', previousHash: '', hash: 'ab'.repeat(32) }],
  files: [{ role: 'original', position: 0, contentType: 'video/mp4', bytes: 1_200_000, sha256: 'cd'.repeat(32) }],
  thumbnails: [{ name: 'cover-1', contentType: 'image/jpeg', sha256: 'ef'.repeat(32), base64: '/9j/' }],
  frames: [
    {
      other: { kind: 'claim', id: SAMPLE_ID, title: 'Valley at dawn' },
      file: 0,
      side: 'ours',
      atSeconds: 3.5,
      contentType: 'image/jpeg',
      sha256: '45'.repeat(32),
      base64: '/9j/',
    },
  ],
  deletedFrames: [
    { other: { kind: 'item', id: SAMPLE_ID, title: null }, file: 0, side: 'theirs', atSeconds: null, sha256: '67'.repeat(32) },
  ],
  contentCredentials: [{ issuer: 'A camera', bytes: 12_000, verified: false }],
  signedBy: { algorithm: 'Ed25519', ...evidenceKeySample },
  bundleHash: '01'.repeat(32),
  signature: 'c2lnbmF0dXJl',
};
