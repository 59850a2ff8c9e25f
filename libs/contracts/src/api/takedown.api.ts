import { z } from 'zod';
import { pastMomentSchema, momentSchema, pageOf, pageQuery, requiredText, successOf, webAddressSchema } from './envelope.api';
import { matchEvidenceSchema } from './rights-matches.api';
import { CLAIM_STATUSES, CLAIM_TARGETS, workUrlsSchema } from './rights.api';
import { defineRoutes, get, post } from './route';

const PAGE_SIZE = 50;

/** The elements that 17 U.S.C. § 512(c)(3)(A) requires of a notice, in its order. */
const NOTICE_ELEMENTS = ['signature', 'work', 'locations', 'contact', 'goodFaith', 'accuracy'] as const;
export type NoticeElement = (typeof NOTICE_ELEMENTS)[number];

const NOTICE_STATUSES = ['received', 'incomplete', 'acting', 'answered', 'countered', 'restored', 'upheld', 'rejected'] as const;
export type NoticeStatus = (typeof NOTICE_STATUSES)[number];

/** `held`: the post was stopped before its publication. `removing`: its removal from Instagram is pending, by a worker or an administrator. */
const CASE_STATES = ['open', 'removing', 'held', 'removed', 'dismissed'] as const;
export type CaseState = (typeof CASE_STATES)[number];

/** The part of a post that the claim names; `location`: the notice gives the address of the post itself. */
const CASE_NAMINGS = [...CLAIM_TARGETS, 'location'] as const;
export type CaseNaming = (typeof CASE_NAMINGS)[number];

/** A notice as received. Elements that it lacks are omitted here; the prepared answer then asks for them. */
export const createNoticeBodySchema = z.strictObject({
  reference: requiredText(200).optional(),
  receivedAt: pastMomentSchema,
  claimant: requiredText(200),
  contact: requiredText(500).optional(),
  work: requiredText(300).optional(),
  /** A worker fetches the work from them, and posts that show it are held back. */
  workUrls: workUrlsSchema.default([]),
  /** Addresses of our posts on Instagram, of their pages here, or of their sources. */
  locations: z.array(webAddressSchema).max(200).default([]),
  goodFaith: z.boolean().default(false),
  accurate: z.boolean().default(false),
  signature: requiredText(200).optional(),
});
export type CreateNoticeBody = z.infer<typeof createNoticeBodySchema>;

/** Reasons of cases without a claim: how the permission of the author ended. */
export const PERMISSION_CASES = ['permission_refused', 'permission_revoked', 'permission_expired'] as const;

const rightsCaseSchema = z.object({
  id: z.uuid(),
  reason: z.enum(['claim', 'notice', 'source_removed', ...PERMISSION_CASES, 'platform_match']),
  state: z.enum(CASE_STATES),
  itemId: z.uuid(),
  title: z.string(),
  author: z.string().nullable(),
  /** The account on which the post was published; `null` of a post that is not published. */
  accountId: z.uuid().nullable().optional(),
  /** State of the item when the case was opened. */
  itemState: z.string(),
  claimTitle: z.string().nullable(),
  /** The case of a claim that is disputed or expired stays open, without alerts, until a person decides or the claim is active again. */
  claimStatus: z.enum(CLAIM_STATUSES).nullable(),
  noticeId: z.uuid().nullable(),
  /** The reference that the claimant gave the notice of the case. */
  noticeReference: z.string().nullable(),
  /** Whether DMCA protection may run again for the post, because the claim that stopped it no longer applies. */
  canRunAgain: z.boolean(),
  permalink: z.string().nullable(),
  dueAt: momentSchema.nullable(),
  openedAt: momentSchema,
  closedAt: momentSchema.nullable(),
  closedBy: z.string().nullable(),
  note: z.string().nullable(),
  /** Why the claim of the case is about this post; `null` of a case without a claim. */
  evidence: z.object({ named: z.enum(CASE_NAMINGS).nullable(), match: matchEvidenceSchema.nullable() }).nullable(),
  /** Works that Instagram's own copyright check names. */
  platformMatches: z.array(z.string()),
});
export type RightsCaseView = z.infer<typeof rightsCaseSchema>;

const noticeSchema = z.object({
  id: z.uuid(),
  reference: z.string().nullable(),
  claimant: z.string(),
  contact: z.string().nullable(),
  work: z.string().nullable(),
  workUrls: z.array(z.string()),
  locations: z.array(z.string()),
  /** The accounts on which the posts of the notice were published, except for posts that stay. */
  accountIds: z.array(z.uuid()).optional(),
  status: z.enum(NOTICE_STATUSES),
  /** Elements that the notice lacks. */
  missing: z.array(z.enum(NOTICE_ELEMENTS)),
  claimId: z.uuid().nullable(),
  receivedAt: momentSchema,
  /** Deadlines for removing the posts and for answering the notice. */
  removeBy: momentSchema,
  answerBy: momentSchema,
  answer: z.string().nullable(),
  answeredAt: momentSchema.nullable(),
  counterReceivedAt: momentSchema.nullable(),
  /** Window in which posts are restored after a counter notice, unless the claimant goes to court. */
  restoreFrom: momentSchema.nullable(),
  restoreBy: momentSchema.nullable(),
  closedAt: momentSchema.nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** A notice with its posts, a prepared answer, and authors with several upheld notices. */
const noticeDetailSchema = noticeSchema.extend({
  cases: z.array(rightsCaseSchema),
  draft: z.string(),
  repeatedAuthors: z.array(z.object({ author: z.string(), notices: z.int().min(1) })),
});
export type NoticeDetail = z.infer<typeof noticeDetailSchema>;

const noticeResponse = successOf(noticeDetailSchema);
export const noticesQuerySchema = z.object({ ...pageQuery(PAGE_SIZE) });
export type NoticesQuery = z.infer<typeof noticesQuerySchema>;
/** `pending`: `open` and `removing`, those that are due first. */
export const casesQuerySchema = z.object({ state: z.enum([...CASE_STATES, 'pending']).optional(), ...pageQuery(PAGE_SIZE) });
export type CasesQuery = z.infer<typeof casesQuerySchema>;
export const answerNoticeBodySchema = z.strictObject({ answer: requiredText(10_000) });
export type AnswerNoticeBody = z.infer<typeof answerNoticeBodySchema>;
export const counterNoticeBodySchema = z.strictObject({
  receivedAt: pastMomentSchema,
  sender: requiredText(200),
  statement: requiredText(10_000),
});
export type CounterNoticeBody = z.infer<typeof counterNoticeBodySchema>;
/** `upheld` adds a strike, once; `restored` follows a counter notice; `rejected`: the notice is not justified. The last two clear the strike. */
export const closeNoticeBodySchema = z.strictObject({ outcome: z.enum(['upheld', 'restored', 'rejected']) });
export type CloseNoticeBody = z.infer<typeof closeNoticeBodySchema>;
/** `remove` starts the removal, `removed` records that it was verified, `dismissed` that the post stays. */
export const moveCaseBodySchema = z.strictObject({
  action: z.enum(['remove', 'removed', 'dismissed']),
  note: requiredText(2000).optional(),
});
export type MoveCaseBody = z.infer<typeof moveCaseBodySchema>;

const strikesSchema = z.object({
  /** Strikes that count now, of all accounts. */
  active: z.int().min(0),
  /** The same of each account that has some. */
  accounts: z.array(z.object({ accountId: z.uuid(), active: z.int().min(1) })).optional(),
  /** Number of active strikes against one account at which its publishing pauses. */
  pausesAt: z.int().min(1),
  strikes: z.array(
    z.object({
      id: z.uuid(),
      reason: z.string(),
      noticeId: z.uuid().nullable(),
      /** The account whose posts the notice is about; `null` of a notice about no published post, whose strike counts for no account. */
      accountId: z.uuid().nullable(),
      struckAt: momentSchema,
      expiresAt: momentSchema,
      clearedAt: momentSchema.nullable(),
    }),
  ),
});
export type Strikes = z.infer<typeof strikesSchema>;

export const takedownRoutes = defineRoutes({
  notices: get('/api/rights/notices', 'Takedown notices, newest first', { query: noticesQuerySchema, response: pageOf(noticeSchema) }),
  createNotice: post('/api/rights/notices', 'Records a takedown notice and finds the posts that it is about', {
    body: createNoticeBodySchema,
    response: noticeResponse,
  }),
  notice: get('/api/rights/notices/:id', 'A takedown notice with its posts and a prepared answer', { response: noticeResponse }),
  answer: post('/api/rights/notices/:id/answer', 'Records the answer that a person sent', {
    body: answerNoticeBodySchema,
    response: noticeResponse,
  }),
  counter: post('/api/rights/notices/:id/counter-notice', 'Records a counter notice', {
    body: counterNoticeBodySchema,
    response: noticeResponse,
  }),
  close: post('/api/rights/notices/:id/close', 'Closes a notice', { body: closeNoticeBodySchema, response: noticeResponse }),
  cases: get('/api/rights/cases', 'Posts that show a claimed work', { query: casesQuerySchema, response: pageOf(rightsCaseSchema) }),
  moveCase: post('/api/rights/cases/:id', 'Prepares a removal, or records how a case ended', {
    body: moveCaseBodySchema,
    response: successOf(rightsCaseSchema),
  }),
  strikes: get('/api/rights/strikes', 'Strikes against the accounts', { response: successOf(strikesSchema) }),
});
