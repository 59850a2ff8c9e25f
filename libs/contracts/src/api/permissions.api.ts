import { z } from 'zod';
import { momentSchema, pageOf, pageQuery, requiredText, successOf } from './envelope.api';
import { usernameSchema } from './publish-options.api';
import { CLAIM_TARGETS, heldBackSchema } from './rights.api';
import { defineRoutes, get, post, put } from './route';

const PAGE_SIZE = 50;

/** `expired`: granted, but its time is over. A revoked one stays revoked. */
const PERMISSION_STATUSES = ['requested', 'granted', 'refused', 'revoked', 'expired'] as const;
export type PermissionStatus = (typeof PERMISSION_STATUSES)[number];
/** Maximum size of the file that proves an answer, in bytes. */
export const PROOF_BYTES = 16 * 1024 * 1024;

/** A request to the author of a post, of all posts of an author, or of the posts of a subreddit. A person sends it. */
export const createPermissionBodySchema = z.strictObject({
  kind: z.enum(CLAIM_TARGETS),
  /** An address, `u/name` or `@name`, or the name of a subreddit. */
  named: requiredText(2000),
  grantor: requiredText(200),
  contact: requiredText(300).optional(),
});
export type CreatePermissionBody = z.infer<typeof createPermissionBodySchema>;

export const answerPermissionBodySchema = z.strictObject({
  granted: z.boolean(),
  /** The words of the answer. */
  answer: requiredText(4000),
  /** The credit line that the author wants in captions; otherwise the usual one. */
  credit: requiredText(200)
    .refine((line) => !/[\r\n]/u.test(line), 'Please give the credit as one line')
    .optional(),
  /** The author permits it as a collaboration: this Instagram account must be a collaborator of the post. */
  collaborator: usernameSchema.optional(),
  expiresAt: momentSchema.optional(),
});
export type AnswerPermissionBody = z.infer<typeof answerPermissionBodySchema>;

export const revokePermissionBodySchema = z.strictObject({ reason: requiredText(2000) });
export type RevokePermissionBody = z.infer<typeof revokePermissionBodySchema>;

const proofSchema = z.object({ bytes: z.int().min(0), sha256: z.string(), contentType: z.string() });
export type PermissionProof = z.infer<typeof proofSchema>;

const permissionSchema = z.object({
  id: z.uuid(),
  kind: z.enum(CLAIM_TARGETS),
  /** Address, author or subreddit in its normalised form. */
  key: z.string(),
  grantor: z.string(),
  contact: z.string().nullable(),
  status: z.enum(PERMISSION_STATUSES),
  request: z.string(),
  answer: z.string().nullable(),
  answeredAt: momentSchema.nullable(),
  credit: z.string().nullable(),
  /** The Instagram account that must be a collaborator of every post that this permits. */
  collaborator: z.string().nullable(),
  /** `url` shows a picture to administrators, and downloads anything else. */
  proof: proofSchema.extend({ url: z.string() }).nullable(),
  /** The proofs that it replaced, newest first. */
  earlierProofs: z.array(proofSchema.extend({ url: z.string() })),
  expiresAt: momentSchema.nullable(),
  revokedAt: momentSchema.nullable(),
  revokeReason: z.string().nullable(),
  createdBy: z.string(),
  createdAt: momentSchema,
  /** Only in the answer to a refusal or revocation: posts that wait again, and published ones whose removal is proposed as a case. */
  held: heldBackSchema.optional(),
});
export type PermissionView = z.infer<typeof permissionSchema>;

const answered = { response: successOf(permissionSchema) };
const base = '/api/rights/permissions';

export const permissionsRoutes = defineRoutes({
  list: get(base, 'Permissions of authors, newest first', { query: z.object(pageQuery(PAGE_SIZE)), response: pageOf(permissionSchema) }),
  create: post(base, 'Drafts a request for permission', { ...answered, body: createPermissionBodySchema }),
  answer: post(`${base}/:id/answer`, 'Records the answer to a request', { ...answered, body: answerPermissionBodySchema }),
  proof: put(`${base}/:id/proof`, 'Stores a picture, PDF, mail or plain text of the answer as proof', {
    ...answered,
    uploadBytes: PROOF_BYTES,
  }),
  revoke: post(`${base}/:id/revoke`, 'Records that a permission was revoked and proposes removals', {
    ...answered,
    body: revokePermissionBodySchema,
  }),
});
