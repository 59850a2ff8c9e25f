import { z } from 'zod';
import { momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { defineRoutes, get, post } from './route';

const CLAIM_STATUSES = ['active', 'withdrawn'] as const;
const CLAIMS_PAGE_SIZE = 50;

/** What a new claim did to the posts that are here and show the work. */
const heldBackSchema = z.object({
  /** Posts that show the work and will not be published. */
  blocked: z.int().min(0),
  /** Posts that share too little with the work to be sure: a person is asked before they go out. */
  flagged: z.int().min(0),
  /** Posts that are out, or for which the call to publish has left: for a person to take down. */
  out: z.array(z.object({ id: z.uuid(), title: z.string() })),
});
export type HeldBack = z.infer<typeof heldBackSchema>;

const hash = (what: string) =>
  z
    .string(`Please give the ${what} as text`)
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/u, `Please give the ${what} as 64 hexadecimal digits`);

/** A claim on a work. At least one of `itemId`, `sha256` and `pdqHashes` lets the product recognise it. */
export const createClaimBodySchema = z
  .strictObject({
    title: z.string('Please give the work a title').trim().min(1, 'Please give the work a title').max(300),
    claimant: z.string('Please name who claims the work').trim().min(1, 'Please name who claims the work').max(200),
    contact: z.string().trim().max(300).optional(),
    sourceUrl: z
      .url({ protocol: /^https?$/u, error: 'Please give an address that begins with http:// or https://' })
      .max(2000)
      .optional(),
    note: z.string().trim().max(2000).optional(),
    /** An item of ours that shows the work: its fingerprints are added to the register. */
    itemId: z.uuid('Please name one of our posts by its id').optional(),
    sha256: hash('SHA-256').optional(),
    pdqHashes: z.array(hash('PDQ hash')).max(100).optional(),
  })
  .refine((claim) => claim.itemId !== undefined || claim.sha256 !== undefined || (claim.pdqHashes?.length ?? 0) > 0, {
    message: 'Name an item, a SHA-256 or PDQ hashes, so that the work can be recognised',
    path: ['itemId'],
  });
export type CreateClaimBody = z.infer<typeof createClaimBodySchema>;

export const claimSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  claimant: z.string(),
  contact: z.string().nullable(),
  sourceUrl: z.string().nullable(),
  note: z.string().nullable(),
  status: z.enum(CLAIM_STATUSES),
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

export const rightsRoutes = defineRoutes({
  list: get('/api/rights/claims', 'The register of claimed works', { query: claimsQuerySchema, response: pageOf(claimSchema) }),
  create: post('/api/rights/claims', 'Puts a claimed work on the register', { body: createClaimBodySchema, response: claimResponseSchema }),
  withdraw: post('/api/rights/claims/:id/withdraw', 'Marks a claim as withdrawn', { response: claimResponseSchema }),
});
