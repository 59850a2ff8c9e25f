import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TIME } from '../database/columns';

/** A session that was ended before its token expires. */
@Entity('revoked_sessions')
export class RevokedSession {
  @PrimaryColumn({ type: 'uuid' })
  sessionId!: string;

  @Column(TIME)
  expiresAt!: Date;
}
