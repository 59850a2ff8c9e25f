import { createHmac } from 'node:crypto';
import { EncryptJWT, jwtDecrypt, jwtVerify, SignJWT } from 'jose';

/** The signed-in user. `sessionId` is the same in both tokens, so that one revocation ends both. */
export interface Identity {
  sessionId: string;
  /** The provider's stable id of the account. */
  subject: string;
  /** Trimmed, lower case. */
  email: string;
  name: string;
  avatar: string | null;
  /** Hash of the cookie of the browser that started the sign-in; only in an exchange token. */
  browser?: string;
}

export interface Session extends Identity {
  use: 'exchange' | 'session';
  expiresAt: Date;
}

export const EXCHANGE_SECONDS = 120;
export const SESSION_SECONDS = 12 * 3600;
const AUDIENCE = 'autoposter';
const SECONDS: Record<Session['use'], number> = { exchange: EXCHANGE_SECONDS, session: SESSION_SECONDS };

/** Issues and verifies our own tokens (HS256). An exchange token is sent in a redirect, is valid for two minutes and used once; a session token is valid for twelve hours. */
export class SessionTokens {
  private readonly signingKeys: readonly Uint8Array[];
  private readonly sealingKeys: readonly Uint8Array[];

  /** The first key signs and encrypts; all of them verify and decrypt. */
  constructor(
    keys: readonly Uint8Array[],
    private readonly now: () => Date,
  ) {
    if (keys.length === 0) throw new Error('no session key is configured');
    this.signingKeys = keys;
    this.sealingKeys = keys.map((key) => createHmac('sha256', key).update('sign-in state').digest());
  }

  issue(identity: Identity, use: Session['use']): Promise<string> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    const { email, name, avatar, sessionId, browser } = identity;
    const claims = { use, email, name, picture: avatar, sid: sessionId, ...(use === 'exchange' ? { browser } : {}) };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(identity.subject)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SECONDS[use])
      .sign(this.signingKeys[0] as Uint8Array);
  }

  /** `null` for a token that is foreign, malformed or expired. */
  async read(token: string): Promise<Session | null> {
    for (const key of this.signingKeys) {
      const session = await this.readWith(key, token);
      if (session !== null) return session;
    }
    return null;
  }

  private async readWith(key: Uint8Array, token: string): Promise<Session | null> {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], audience: AUDIENCE, currentDate: this.now() });
      const { sub, sid, email, name, picture, use, exp, browser } = payload as Record<string, unknown>;
      if (typeof sub !== 'string' || typeof sid !== 'string' || typeof email !== 'string' || typeof exp !== 'number') return null;
      if (use !== 'exchange' && use !== 'session') return null;
      const avatar = typeof picture === 'string' ? picture : null;
      const shown = typeof name === 'string' ? name : email;
      const bound = typeof browser === 'string' ? { browser } : {};
      return { sessionId: sid, subject: sub, email, name: shown, avatar, use, expiresAt: new Date(exp * 1000), ...bound };
    } catch {
      return null;
    }
  }

  isExpired({ expiresAt }: Pick<Session, 'expiresAt'>): boolean {
    return expiresAt <= this.now();
  }

  /** Encrypts state that a cookie carries during the sign-in. */
  seal(content: Record<string, string>, seconds: number): Promise<string> {
    return new EncryptJWT(content)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(this.now().getTime() / 1000) + seconds)
      .encrypt(this.sealingKeys[0] as Uint8Array);
  }

  async unseal(sealed: string): Promise<Record<string, unknown> | null> {
    for (const key of this.sealingKeys) {
      const opened = await jwtDecrypt(sealed, key, { currentDate: this.now() }).catch(() => null);
      if (opened !== null) return opened.payload;
    }
    return null;
  }
}
