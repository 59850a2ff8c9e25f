import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A session that ended before its token expires. */
@Entity('revoked_sessions')
export class RevokedSession {
  @PrimaryColumn(ID) sessionId!: string;
  @Column(TIME) expiresAt!: Date;
}

export class SessionRepository extends SqlRepository<RevokedSession> {
  protected readonly entity = RevokedSession;

  /** The entry is kept until `expiresAt`, when the session's tokens expire. */
  async revoke(sessionId: string, expiresAt: Date): Promise<void> {
    await this.run('INSERT INTO revoked_sessions (session_id, expires_at) VALUES ($1, $2) ON CONFLICT (session_id) DO NOTHING', [
      sessionId,
      expiresAt,
    ]);
  }

  async isRevoked(sessionId: string): Promise<boolean> {
    return this.affectsRow('SELECT 1 FROM revoked_sessions WHERE session_id = $1', [sessionId]);
  }

  /** The revoked sessions among these. */
  async revokedAmong(sessionIds: readonly string[]): Promise<Set<string>> {
    if (sessionIds.length === 0) return new Set();
    return new Set(await this.column<string>('SELECT session_id FROM revoked_sessions WHERE session_id = ANY($1::uuid[])', [sessionIds]));
  }

  /** Redeems a sign-in token once across all gateways; returns `false` if it was redeemed before. */
  async redeem(sessionId: string, expiresAt: Date): Promise<boolean> {
    return this.affectsRow(
      'INSERT INTO redeemed_sign_ins (session_id, expires_at) VALUES ($1, $2) ON CONFLICT (session_id) DO NOTHING RETURNING session_id',
      [sessionId, expiresAt],
    );
  }
}
