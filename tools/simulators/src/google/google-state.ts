import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { SimulatedClock } from '../server/clock';

/** An account of the sign-in page. Only `sub` identifies it permanently. */
export interface GooglePerson {
  sub: string;
  email: string;
  verified: boolean;
  name: string | null;
  hostedDomain?: string;
  /** Purpose of the account in tests of the admin list. */
  note: string;
}

const person = (index: number, email: string, name: string | null, note: string, more: Partial<GooglePerson> = {}): GooglePerson => ({
  sub: `10820100000000000000${index}`,
  email,
  verified: true,
  name,
  note,
  ...more,
});

export const GOOGLE_PEOPLE: readonly GooglePerson[] = [
  person(1, 'admin@autoposter.local', 'Ada Min', 'on the admin list', { hostedDomain: 'autoposter.local' }),
  person(2, 'stranger@example.com', 'Sam Stranger', 'not on the admin list'),
  person(3, 'unverified@autoposter.local', 'Una Verified', 'address not verified', { verified: false }),
  person(4, 'nameless@example.com', null, 'no name, no picture'),
  // The same account as the first: Google reports the address in the owner's spelling.
  person(1, 'ADMIN@Autoposter.Local', 'Ada Min (capitals)', 'the admin address in capitals'),
];

export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  scopes: string[];
  state: string | null;
  nonce: string | null;
  challenge: { value: string; method: 'S256' | 'plain' } | null;
  offline: boolean;
}

interface Grant {
  request: AuthorizationRequest;
  person: GooglePerson;
  expiresAt: number;
  used: boolean;
}

const CODE_LIFE_MS = 600_000;
const TOKEN_LIFE_MS = 3_599_000;

/** Issued authorization codes and access tokens. */
export class GoogleState {
  private readonly grants = new Map<string, Grant>();
  private readonly tokens = new Map<string, { person: GooglePerson; scopes: string[]; expiresAt: number }>();

  constructor(private readonly clock: SimulatedClock) {}

  /** A one-time code; contains a slash, as real ones do. */
  grant(request: AuthorizationRequest, person: GooglePerson): string {
    const code = `4/0A${randomBytes(48).toString('base64url')}`;
    this.grants.set(code, { request, person, expiresAt: this.clock.now() + CODE_LIFE_MS, used: false });
    return code;
  }

  /** Redeems a code once; `null` when it is unknown, used or expired. */
  redeem(code: string): Grant | null {
    const grant = this.grants.get(code);
    if (!grant || grant.used || grant.expiresAt <= this.clock.now()) return null;
    grant.used = true;
    return grant;
  }

  issueToken(person: GooglePerson, scopes: string[]): string {
    const token = `ya29.${randomBytes(110).toString('base64url')}`;
    this.tokens.set(token, { person, scopes, expiresAt: this.clock.now() + TOKEN_LIFE_MS });
    return token;
  }

  holder(token: string | null): { person: GooglePerson; scopes: string[] } | null {
    const held = token === null ? undefined : this.tokens.get(token);
    return held && held.expiresAt > this.clock.now() ? held : null;
  }

  revoke(token: string): boolean {
    return this.tokens.delete(token);
  }
}

/** `null` when the PKCE verifier is valid, otherwise the error description. */
export function verifierError(challenge: AuthorizationRequest['challenge'], verifier: string | null): string | null {
  if (!challenge) return null;
  if (verifier === null) return 'Missing code verifier.';
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return 'Invalid code verifier.';
  const derived = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return derived === challenge.value ? null : 'Invalid code verifier.';
}

/** An RS256 key generated at start, with its JWK. */
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
