import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Evidence, EvidenceKey } from '@autoposter/contracts';

/** PKCS #8 of an Ed25519 private key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

type Unsigned = Omit<Evidence, 'signedBy' | 'bundleHash' | 'signature'>;

/** Signs evidence bundles with Ed25519 (RFC 8032). `tools/evidence/verify.mjs` repeats the canonical bytes and the id of the key. */
export class EvidenceSigner {
  readonly key: EvidenceKey;
  private readonly privateKey: KeyObject;

  /** `seed`: 32 bytes, the private key. */
  constructor(seed: Uint8Array) {
    this.privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(this.privateKey).export({ format: 'der', type: 'spki' });
    this.key = { keyId: createHash('sha256').update(publicKey).digest('hex'), publicKey: publicKey.toString('base64') };
  }

  sign(unsigned: Unsigned): Evidence {
    const bundle = { ...unsigned, signedBy: { algorithm: 'Ed25519' as const, ...this.key } };
    const bytes = Buffer.from(canonicalJson(bundle));
    return {
      ...bundle,
      bundleHash: createHash('sha256').update(bytes).digest('hex'),
      signature: sign(null, bytes, this.privateKey).toString('base64'),
    };
  }
}

/** RFC 8785: no spaces, the keys of every object in the order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`;
}
