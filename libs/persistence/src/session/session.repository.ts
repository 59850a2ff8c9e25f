import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A session that was ended before its token expires. */
@Entity('revoked_sessions')
export class RevokedSession {
  @PrimaryColumn(ID) sessionId!: string;
  @Column(TIME) expiresAt!: Date;
}

export class SessionRepository extends SqlRepository<RevokedSession> {
  protected readonly entity = RevokedSession;

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
