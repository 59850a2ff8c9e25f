import { z } from 'zod';
import { daySchema, momentSchema, pageOf, pageQuery, pastDaySchema, successOf, webAddressSchema } from './envelope.api';
import { defineRoutes, get, post, put } from './route';

/** Only an active claim stops posts. A withdrawn one stays withdrawn. */
export const CLAIM_STATUSES = ['active', 'disputed', 'withdrawn', 'expired'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];
/** The part of the work that is claimed. */
const CLAIM_SCOPES = ['audiovisual', 'visual', 'audio'] as const;
export type ClaimScope = (typeof CLAIM_SCOPES)[number];
export const CLAIM_TARGETS = ['url', 'author', 'subreddit'] as const;
const CLAIMS_PAGE_SIZE = 50;
/** Maximum size of a file of a claimed work, in bytes. */
export const WORK_BYTES = 512 * 1024 * 1024;

/** The effect of a new claim on existing posts that show the work. */
export const heldBackSchema = z.object({
  /** Posts that show the work and will not be published. */
  blocked: z.int().min(0),
  /** Posts whose match with the work is uncertain: a person decides before they are published. */
  flagged: z.int().min(0),
  /** Posts that are published, or whose publish call was made: a person has to take them down. */
  out: z.array(z.object({ id: z.uuid(), title: z.string() })),
});
export type HeldBack = z.infer<typeof heldBackSchema>;

const hash = (what: string) =>
  z
    .string(`Please give the ${what} as text`)
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/u, `Please give the ${what} as 64 hexadecimal digits`);

/** Maximum number of files of one claim: as many as the largest gallery has. */
export const MAX_WORK_FILES = 20;
/** Maximum number of addresses of one work. */
const MAX_WORK_URLS = 50;
export const workUrlsSchema = z.array(webAddressSchema).max(MAX_WORK_URLS, `Please give at most ${MAX_WORK_URLS} addresses of the work`);

const workFileSchema = z.object({
  bytes: z.int().min(0),
  sha256: z.string(),
  /** How the console shows it: a sound without pictures is played as a video. */
  mediaType: z.enum(['video', 'image']),
  objectKey: z.string(),
});
export type WorkFile = z.infer<typeof workFileSchema>;

/**
 * The files of a claimed work: uploaded (`awaited` until then) or fetched from their addresses (`requested` until then). A worker fingerprints
 * them as it fingerprints posts; until then the claim does not match by them.
 */
const claimedWorkSchema = z.object({
  state: z.enum(['awaited', 'requested', 'stored', 'fingerprinted', 'failed']),
  /** Of the first file. */
  bytes: z.int().min(0).nullable(),
  sha256: z.string().nullable(),
  mediaType: z.enum(['video', 'image']).nullable(),
  objectKey: z.string().nullable(),
  /** Why it could not be fetched or fingerprinted. */
  message: z.string().nullable(),
  /** The files after the first one, as of a gallery. */
  more: z.array(workFileSchema).optional(),
  /** Where the files are fetched from. */
  urls: z.array(z.string()).optional(),
  /** The `urls` that gave no file, or not all files of a gallery, each with the reason. */
  missed: z.array(z.object({ url: z.string(), message: z.string() })).optional(),
  /** Stored files that could not be fingerprinted, each with the reason. */
  unreadable: z.array(z.object({ sha256: z.string(), message: z.string() })).optional(),
});
export type ClaimedWork = z.infer<typeof claimedWorkSchema>;

export function filesOfWork({ bytes, sha256, mediaType, objectKey, more = [] }: ClaimedWork): WorkFile[] {
  if (bytes === null || sha256 === null || mediaType === null || objectKey === null) return [];
  return [{ bytes, sha256, mediaType, objectKey }, ...more];
}

const NO_FILE = { bytes: null, sha256: null, mediaType: null, objectKey: null };

/** Either a work with files, or a work in a state in which its files are still to come. */
export function claimedWork(
  state: ClaimedWork['state'],
  [first, ...more]: readonly WorkFile[],
  about: Partial<Pick<ClaimedWork, 'message' | 'urls' | 'missed'>> = {},
): ClaimedWork {
  return { state, ...(first ?? NO_FILE), message: null, ...(more.length === 0 ? {} : { more }), ...about };
}

/**
 * A claim on a work. The work is recognised by a file (`upload`: it follows in a call of its own; `workUrls`: a worker fetches it), by an
 * item of ours, or by hashes; posts are also recognised by the address, the author or the subreddit that the claim names, and then not even
 * downloaded.
 */
export const createClaimBodySchema = z
  .strictObject({
    title: z
      .string('Please give the work a title')
      .trim()
      .min(1, 'Please give the work a title')
      .max(300, 'Please give at most 300 characters'),
    claimant: z
      .string('Please name who claims the work')
      .trim()
      .min(1, 'Please name who claims the work')
      .max(200, 'Please give at most 200 characters'),
    contact: z.string().trim().max(300).optional(),
    sourceUrl: webAddressSchema.optional(),
    note: z.string().trim().max(2000).optional(),
    /** An item of ours that shows the work: its fingerprints are added to the register. */
    itemId: z.uuid('Please name one of our posts by its id').optional(),
    sha256: hash('SHA-256').optional(),
    pdqHashes: z.array(hash('PDQ hash')).max(100).optional(),
    upload: z.literal(true).optional(),
    /** Addresses of posts of Reddit or Instagram, or of files on public hosts, that show the work. Posts with these addresses are stopped, too. */
    workUrls: workUrlsSchema.optional(),
    /** `u/name` of Reddit or `@name` of Instagram: all posts of this author. */
    author: z.string().trim().min(1).max(200).optional(),
    /** All posts of this subreddit. */
    subreddit: z.string().trim().min(1).max(200).optional(),
    noticeReference: z.string().trim().min(1).max(200).optional(),
    noticeDate: pastDaySchema.optional(),
    /** By default both picture and sound. */
    scope: z.enum(CLAIM_SCOPES).optional(),
    expiresAt: momentSchema.optional(),
  })
  .refine(
    ({ itemId, sha256, pdqHashes = [], upload, workUrls = [], sourceUrl, author, subreddit }) => {
      return [itemId, sha256, pdqHashes[0], upload, workUrls[0], sourceUrl, author, subreddit].some((named) => named !== undefined);
    },
    { message: 'Name a file, a post, an address, an author, a subreddit or hashes, so that the work can be recognised', path: ['itemId'] },
  )
  .refine(({ upload, workUrls = [] }) => upload === undefined || workUrls.length === 0, {
    message: 'Give either a file or addresses of the work',
    path: ['workUrls'],
  });
export type CreateClaimBody = z.infer<typeof createClaimBodySchema>;

/** Posts that a claim never stops, until the entry ends. */
const allowEntrySchema = z.object({
  id: z.uuid(),
  kind: z.enum(CLAIM_TARGETS),
  key: z.string(),
  reason: z.string(),
  expiresAt: momentSchema.nullable(),
  createdBy: z.string(),
  createdAt: momentSchema,
});

export const allowBodySchema = z.strictObject({
  kind: z.enum(CLAIM_TARGETS),
  /** An address, `u/name` or `@name`, or the name of a subreddit. */
  named: z.string().trim().min(1).max(2000),
  reason: z.string().trim().min(1).max(2000),
  expiresAt: momentSchema.optional(),
});
export type AllowBody = z.infer<typeof allowBodySchema>;

export const claimSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  claimant: z.string(),
  contact: z.string().nullable(),
  sourceUrl: z.string().nullable(),
  note: z.string().nullable(),
  status: z.enum(CLAIM_STATUSES),
  statusNote: z.string().nullable(),
  scope: z.enum(CLAIM_SCOPES),
  noticeReference: z.string().nullable(),
  noticeDate: daySchema.nullable(),
  expiresAt: momentSchema.nullable(),
  /** Addresses, authors and subreddits in their normalised form. */
  targets: z.array(z.object({ kind: z.enum(CLAIM_TARGETS), key: z.string() })),
  allowed: z.array(allowEntrySchema),
  work: claimedWorkSchema
    .omit({ objectKey: true, more: true })
    .extend({ files: z.int().min(0).optional() })
    .nullable(),
  fingerprints: z.int().min(0),
  createdBy: z.string(),
  createdAt: momentSchema,
  /** Only in the answer to a new claim. */
  held: heldBackSchema.optional(),
});
export type Claim = z.infer<typeof claimSchema>;
const claimResponseSchema = successOf(claimSchema);
export const claimsQuerySchema = z.object({ status: z.enum(CLAIM_STATUSES).optional(), ...pageQuery(CLAIMS_PAGE_SIZE) });
export type ClaimsQuery = z.infer<typeof claimsQuerySchema>;

/** `withdrawn` is final; a disputed or expired claim can become active again. `expiresAt` counts with `active` alone. */
export const changeClaimBodySchema = z.strictObject({
  status: z.enum(CLAIM_STATUSES).exclude(['expired']),
  note: z.string().trim().min(1).max(2000).optional(),
  expiresAt: momentSchema.optional(),
});
export type ChangeClaimBody = z.infer<typeof changeClaimBodySchema>;

export const rightsRoutes = defineRoutes({
  list: get('/api/rights/claims', 'The register of claimed works', { query: claimsQuerySchema, response: pageOf(claimSchema) }),
  create: post('/api/rights/claims', 'Puts a claimed work on the register', { body: createClaimBodySchema, response: claimResponseSchema }),
  change: post('/api/rights/claims/:id/status', 'Disputes, withdraws or reactivates a claim', {
    body: changeClaimBodySchema,
    response: claimResponseSchema,
  }),
  allow: post('/api/rights/claims/:id/allow', 'Names posts that the claim never stops', {
    body: allowBodySchema,
    response: claimResponseSchema,
  }),
  endAllow: post('/api/rights/allow-entries/:id/end', 'Ends an entry of posts that a claim never stops', { response: claimResponseSchema }),
  /** The type of the file is detected from its bytes; its name and media type are ignored. */
  upload: put('/api/rights/claims/:id/work', 'Stores the file of a claimed work for fingerprinting', {
    uploadBytes: WORK_BYTES,
    response: claimResponseSchema,
  }),
  fetchWork: post('/api/rights/claims/:id/fetch', 'Fetches a claimed work from its addresses again', { response: claimResponseSchema }),
  withdraw: post('/api/rights/claims/:id/withdraw', 'Marks a claim as withdrawn', { response: claimResponseSchema }),
});
