import { randomBytes } from 'node:crypto';
import type { SimulatedClock } from '../server/clock';

export interface RedditClient {
  id: string;
  secret: string;
  kind: 'confidential' | 'script' | 'installed';
  owner?: { username: string; password: string };
}

const LIFE_SECONDS = 86_400;

/** Hands out bearer tokens and knows which still count. */
export class TokenDesk {
  private readonly tokens = new Map<string, number>();

  constructor(private readonly clock: SimulatedClock) {}

  issue(): { access_token: string; token_type: 'bearer'; expires_in: number } {
    const payload = Buffer.from(JSON.stringify({ sub: 'loid', exp: this.clock.seconds() + LIFE_SECONDS })).toString('base64url');
    const token = `eyJhbGciOiJSUzI1NiIsImtpZCI6IlNIQTI1NiJ9.${payload}.${randomBytes(192).toString('base64url')}`;
    this.tokens.set(token, this.clock.seconds() + LIFE_SECONDS);
    return { access_token: token, token_type: 'bearer', expires_in: LIFE_SECONDS };
  }

  isValid(token: string | null): boolean {
    const expires = token === null ? undefined : this.tokens.get(token);
    return expires !== undefined && expires > this.clock.seconds();
  }

  revokeAll(): void {
    this.tokens.clear();
  }
}
