import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** An RS256 key made at start, with its entry of the JWK set. */
export class SigningKey {
  private readonly privateKey: KeyObject;
  readonly jwk: Record<string, unknown>;
  private readonly keyId: string;

  constructor() {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = pair.privateKey;
    const exported = pair.publicKey.export({ format: 'jwk' });
    this.keyId = createHash('sha256').update(String(exported.n)).digest('hex').slice(0, 40);
    this.jwk = { ...exported, use: 'sig', alg: 'RS256', kid: this.keyId };
  }

  sign(claims: Record<string, unknown>): string {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'RS256', kid: this.keyId, typ: 'JWT' })}.${part(claims)}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(this.privateKey).toString('base64url')}`;
  }
}
