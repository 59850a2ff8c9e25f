import { z } from 'zod';
import { idParamsSchema, momentSchema, pageOf, pageQuery, successOf } from './envelope.api';
import { defineRoutes } from './route';

export const CLAIM_STATUSES = ['active', 'withdrawn'] as const;
const CLAIMS_PAGE_SIZE = 50;

/** A claim on a work. At least one of `itemId`, `sha256` and `pdqHashes` lets the product recognise it. */
export const createClaimBodySchema = z
  .strictObject({
    title: z.string().trim().min(1).max(300),
    claimant: z.string().trim().min(1).max(200),
    contact: z.string().trim().max(300).optional(),
    sourceUrl: z.url().max(2000).optional(),
    note: z.string().trim().max(2000).optional(),
    /** An item of ours that shows the work: its fingerprints go on the register. */
    itemId: z.uuid().optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/u, 'must be 64 hexadecimal digits')
      .optional(),
    pdqHashes: z
      .array(z.string().regex(/^[0-9a-f]{64}$/u, 'must be 64 hexadecimal digits'))
      .max(100)
      .optional(),
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
});
export type Claim = z.infer<typeof claimSchema>;
export const claimResponseSchema = successOf(claimSchema);
export const claimsQuerySchema = z.object({ status: z.enum(CLAIM_STATUSES).optional(), ...pageQuery(CLAIMS_PAGE_SIZE) });
export type ClaimsQuery = z.infer<typeof claimsQuerySchema>;
export const claimsResponseSchema = pageOf(claimSchema);

export const rightsRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/rights/claims',
    access: 'admin',
    summary: 'The register of claimed works',
    query: claimsQuerySchema,
    response: claimsResponseSchema,
  },
  create: {
    method: 'POST',
    path: '/api/rights/claims',
    access: 'admin',
    summary: 'Puts a claimed work on the register',
    body: createClaimBodySchema,
    response: claimResponseSchema,
  },
  withdraw: {
    method: 'POST',
    path: '/api/rights/claims/:id/withdraw',
    access: 'admin',
    summary: 'Marks a claim as withdrawn',
    params: idParamsSchema,
    response: claimResponseSchema,
  },
});
