import { randomBytes } from 'node:crypto';
import type { SimulatedClock } from '../server/clock';
import { DAY_MS } from '../server/limits';
import type { InstagramSettings } from './instagram-state';
import { graphError } from './graph-errors';

export type Flavour = 'instagram' | 'facebook';

export interface AccessToken {
  value: string;
  flavour: Flavour;
  accountId: string;
  issuedAt: number;
  /** `null`: the token does not expire (page tokens). */
  expiresAt: number | null;
}

export const SIXTY_DAYS_MS = 60 * DAY_MS;

/** Valid tokens by value. As with real tokens, the prefix depends on the login product. */
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

  /** The token of a request; throws when it is missing, unknown or expired. */
  require(value: string | null): AccessToken {
    if (value === null || value === '') throw graphError('no_token');
    const token = this.tokens.get(value);
    if (!token) throw graphError('bad_token');
    const now = this.clock.now();
    if (token.expiresAt !== null && token.expiresAt <= now) {
      throw graphError('expired_token', { then: pacific(token.expiresAt), now: pacific(now) });
    }
    return token;
  }

  /** Extends an Instagram token by sixty days; the token must be at least one day old. */
  refresh(token: AccessToken): AccessToken {
    if (token.flavour !== 'instagram') throw graphError('bad_param', { what: 'Unsupported request' });
    if (this.clock.now() - token.issuedAt < DAY_MS) throw graphError('young_token');
    return this.add('instagram', token.accountId, null, SIXTY_DAYS_MS);
  }

  revoke(value: string): void {
    this.tokens.delete(value);
  }
}

/** `Wednesday, 04-Nov-26 08:00:00 PST`. */
function pacific(ms: number): string {
  const part = (locale: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { timeZone: 'America/Los_Angeles', ...options }).format(ms);
  const date = part('en-GB', { day: '2-digit', month: 'short', year: '2-digit' }).replaceAll(' ', '-');
  return `${part('en-US', { weekday: 'long' })}, ${date} ${part('en-US', { timeStyle: 'long', hourCycle: 'h23' })}`;
}

type Use = 'basic' | 'publish' | 'insights' | 'comments' | 'removal';

/** Only Facebook Login removes published posts. */
const SCOPES: Readonly<Record<Flavour, Readonly<Partial<Record<Use, string>>>>> = {
  instagram: {
    basic: 'instagram_business_basic',
    publish: 'instagram_business_content_publish',
    insights: 'instagram_business_manage_insights',
    comments: 'instagram_business_manage_comments',
  },
  facebook: {
    basic: 'instagram_basic',
    publish: 'instagram_content_publish',
    insights: 'instagram_manage_insights',
    comments: 'instagram_manage_comments',
    removal: 'instagram_manage_contents',
  },
};
const OF_PAGES = ['pages_show_list', 'pages_read_engagement'];

/** Permissions granted to tokens of this login product. */
export function scopesOf(flavour: Flavour, { withheldScopes }: InstagramSettings): string[] {
  const asked = [...Object.values(SCOPES[flavour]), ...(flavour === 'facebook' ? OF_PAGES : [])];
  return asked.filter((scope) => !withheldScopes.includes(scope));
}

export function isPermitted({ flavour }: AccessToken, use: Use, settings: InstagramSettings): boolean {
  const scope = SCOPES[flavour][use];
  return scope !== undefined && scopesOf(flavour, settings).includes(scope);
}

/** Throws when the token lacks the permission. */
export function requirePermission(token: AccessToken, use: Use, settings: InstagramSettings): void {
  if (!isPermitted(token, use, settings)) throw graphError('no_permission');
}
