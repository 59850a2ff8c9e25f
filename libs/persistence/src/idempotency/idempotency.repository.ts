import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_OR_NULL, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A call that its caller named, so that repeating it does nothing twice. */
@Entity('idempotent_calls')
export class IdempotentCall {
  @PrimaryColumn(TEXT) actor!: string;
  @PrimaryColumn(TEXT) key!: string;
  /** Hash of what was asked for. */
  @Column(TEXT) fingerprint!: string;
  @Column(TEXT) state!: 'running' | 'done';
  @Column(JSON_OR_NULL) answer!: unknown;
  @Column(TIME) createdAt!: Date;
}

/** A call of a process that died is no longer going on after this many seconds. */
const ABANDONED_SECONDS = 60;

export interface IdempotencyClaim {
  actor: string;
  key: string;
  fingerprint: string;
}

export class IdempotencyRepository extends SqlRepository<IdempotentCall> {
  protected readonly entity = IdempotentCall;

  /** Takes the name for one call: `null` where it is ours now, else the call that had it in the last `keepSeconds`. */
  async begin({ actor, key, fingerprint }: IdempotencyClaim, keepSeconds: number): Promise<IdempotentCall | null> {
    for (;;) {
      const taken = await this.run(
        `INSERT INTO idempotent_calls AS c (actor, key, fingerprint) VALUES ($1, $2, $3)
         ON CONFLICT (actor, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'running', answer = NULL, created_at = now()
         WHERE c.created_at < now() - make_interval(secs => $4)
            OR (c.state = 'running' AND c.created_at < now() - make_interval(secs => ${ABANDONED_SECONDS}))
         RETURNING 1`,
        [actor, key, fingerprint, keepSeconds],
      );
      if (taken.count > 0) return null;
      const other = await this.row('SELECT * FROM idempotent_calls WHERE actor = $1 AND key = $2', [actor, key]);
      // Given back between the two statements.
      if (other !== null) return other;
    }
  }

  async finish({ actor, key, fingerprint }: IdempotencyClaim, answer: unknown): Promise<void> {
    await this.run(
      `UPDATE idempotent_calls SET state = 'done', answer = $4::jsonb WHERE actor = $1 AND key = $2 AND fingerprint = $3 AND state = 'running'`,
      [actor, key, fingerprint, JSON.stringify(answer ?? null)],
    );
  }

  /** A call that came to nothing may be made again under the same name. */
  async release({ actor, key, fingerprint }: IdempotencyClaim): Promise<void> {
    await this.run(`DELETE FROM idempotent_calls WHERE actor = $1 AND key = $2 AND fingerprint = $3 AND state = 'running'`, [
      actor,
      key,
      fingerprint,
    ]);
  }
}
