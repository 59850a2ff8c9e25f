import { randomBytes } from 'node:crypto';
import type { SimulatedClock } from '../server/clock';
import { graphRefusal } from './graph-refusal';

export type Flavour = 'instagram' | 'facebook';

export interface AccessToken {
  value: string;
  flavour: Flavour;
  accountId: string;
  issuedAt: number;
  /** `null` = never, as page tokens. */
  expiresAt: number | null;
}

export const SIXTY_DAYS_MS = 60 * 86_400_000;
const DAY_MS = 86_400_000;

/** The tokens that count, by value. The first letters tell the flavour, as with the real ones. */
export class AccessTokens {
  private readonly tokens = new Map<string, AccessToken>();

  constructor(private readonly clock: SimulatedClock) {}

  add(flavour: Flavour, accountId: string, value: string | null, lifeMs: number | null, ageMs = 0): AccessToken {
    const now = this.clock.now();
    const token: AccessToken = {
      value: value ?? `${flavour === 'instagram' ? 'IGAA' : 'EAAS'}${randomBytes(90).toString('base64url').replaceAll(/[-_]/g, 'Z')}`,
      flavour,
      accountId,
      issuedAt: now - ageMs,
      expiresAt: lifeMs === null ? null : now + lifeMs,
    };
    this.tokens.set(token.value, token);
    return token;
  }

  find(value: string): AccessToken | null {
    return this.tokens.get(value) ?? null;
  }

  /** The token of a call; refuses a missing, unknown or expired one. */
  require(value: string | null): AccessToken {
    if (value === null || value === '') throw graphRefusal('no_token');
    const token = this.tokens.get(value);
    if (!token) throw graphRefusal('bad_token');
    const now = this.clock.now();
    if (token.expiresAt !== null && token.expiresAt <= now) {
      throw graphRefusal('expired_token', { then: pacific(token.expiresAt), now: pacific(now) });
    }
    return token;
  }

  /** Sixty more days for an Instagram token that is at least a day old. */
  refresh(token: AccessToken): AccessToken {
    if (token.flavour !== 'instagram') throw graphRefusal('bad_param', { what: 'Unsupported request' });
    if (this.clock.now() - token.issuedAt < DAY_MS) throw graphRefusal('young_token');
    return this.add('instagram', token.accountId, null, SIXTY_DAYS_MS);
  }

  revoke(value: string): void {
    this.tokens.delete(value);
  }
}

/** `Wednesday, 04-Nov-26 08:00:00 PST`. */
function pacific(ms: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    weekday: 'long',
    day: '2-digit',
    month: 'short',
    year: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(ms);
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return `${part('weekday')}, ${part('day')}-${part('month')}-${part('year')} ${part('hour')}:${part('minute')}:${part('second')} ${part('timeZoneName')}`;
}
