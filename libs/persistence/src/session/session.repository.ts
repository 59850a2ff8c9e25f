import type { EntityManager } from 'typeorm';
import { RowStore } from '../database/row-store';
import { RevokedSession } from './revoked-session.entity';

export class SessionRepository extends RowStore<RevokedSession> {
  constructor(manager: EntityManager) {
    super(manager, RevokedSession);
  }

  /** `expiresAt` is when the session's tokens end by themselves; until then the entry is kept. */
  async revoke(sessionId: string, expiresAt: Date): Promise<void> {
    await this.run('INSERT INTO revoked_sessions (session_id, expires_at) VALUES ($1, $2) ON CONFLICT (session_id) DO NOTHING', [
      sessionId,
      expiresAt,
    ]);
  }

  async isRevoked(sessionId: string): Promise<boolean> {
    return (await this.run('SELECT 1 FROM revoked_sessions WHERE session_id = $1', [sessionId])).count > 0;
  }

  /** Those of the given sessions that were ended. */
  async revokedAmong(sessionIds: readonly string[]): Promise<Set<string>> {
    if (sessionIds.length === 0) return new Set();
    const { rows } = await this.run<{ session_id: string }>('SELECT session_id FROM revoked_sessions WHERE session_id = ANY($1::uuid[])', [
      sessionIds,
    ]);
    return new Set(rows.map((row) => row.session_id));
  }

  /** Takes the token of a sign-in once: `false` where it was taken before, by whichever process. */
  async redeem(sessionId: string, expiresAt: Date): Promise<boolean> {
    const { count } = await this.run(
      'INSERT INTO redeemed_sign_ins (session_id, expires_at) VALUES ($1, $2) ON CONFLICT (session_id) DO NOTHING RETURNING session_id',
      [sessionId, expiresAt],
    );
    return count === 1;
  }
}
