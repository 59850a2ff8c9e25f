import { z } from 'zod';
import { momentSchema, successOf } from './envelope.api';
import { defineRoutes, get } from './route';

/** SHA-256 of the public key (SubjectPublicKeyInfo in DER). A verifier must get it from another source than the bundle. */
const evidenceKeySchema = z.object({
  keyId: z.string().regex(/^[0-9a-f]{64}$/u),
  /** SubjectPublicKeyInfo in DER and Base64. */
  publicKey: z.string(),
});
export type EvidenceKey = z.infer<typeof evidenceKeySchema>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** One side of a match. */
const frameFields = {
  other: z.object({ kind: z.enum(['claim', 'item']), id: z.uuid(), title: z.string().nullable() }),
  /** Number of the item's file, from 0. */
  file: z.int().min(0),
  side: z.enum(['ours', 'theirs']),
  /** Its second in a video; `null` for a picture. */
  atSeconds: z.number().min(0).nullable(),
  sha256,
};

/**
 * Everything about one item that proves where it came from and what was done, checked offline by `tools/evidence/verify.mjs`. The signed bytes
 * are the canonical JSON (RFC 8785, UTF-8) of the bundle without `bundleHash` and `signature`.
 */
const evidenceSchema = z.object({
  format: z.literal('autoposter-evidence-4'),
  generatedAt: momentSchema,
  /** As the newest source record describes it, where it has one. */
  item: z.object({
    id: z.uuid(),
    platform: z.string(),
    sourceId: z.string(),
    originalUrl: z.string(),
    title: z.string(),
    author: z.string().nullable(),
    subreddit: z.string().nullable(),
    state: z.string(),
  }),
  /** A chain: each hash covers the record and the hash before it. */
  records: z.array(
    z.object({
      seq: z.int().min(1),
      kind: z.string(),
      recordedAt: momentSchema,
      /** The hashed JSON text. */
      body: z.string(),
      previousHash: z.string(),
      hash: sha256,
    }),
  ),
  files: z.array(z.object({ role: z.string(), position: z.int(), contentType: z.string(), bytes: z.number(), sha256 })),
  /** Small pictures in Base64, with the hash of their bytes. */
  thumbnails: z.array(z.object({ name: z.string(), contentType: z.string(), sha256, base64: z.string() })),
  /** Both sides of the matches of each rights decision as it saw them, in Base64; a record names the hash of each. */
  frames: z.array(z.object({ ...frameFields, contentType: z.string(), base64: z.string() })),
  /** Recorded frames that were deleted with a post that was removed at its source. */
  deletedFrames: z.array(z.object(frameFields)),
  /** What each original says about its origin by C2PA, as the newest rights record has it; `null` for a file that says nothing. */
  contentCredentials: z.array(z.object({ issuer: z.string().nullable(), bytes: z.number(), verified: z.literal(false) }).nullable()),
  signedBy: evidenceKeySchema.extend({ algorithm: z.literal('Ed25519') }),
  /** SHA-256 of the signed bytes. */
  bundleHash: sha256,
  /** In Base64. */
  signature: z.string(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const evidenceRoutes = defineRoutes({
  ofItem: get('/api/rights/items/:id/evidence', 'The evidence bundle of an item', { response: successOf(evidenceSchema) }),
  keys: get('/api/rights/evidence-keys', 'The public keys of evidence bundles: the one that signs, then former ones', {
    response: successOf(z.object({ keys: z.array(evidenceKeySchema) })),
  }),
});
