import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_OR_NULL, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A call with an idempotency key: repeating it has no further effect. */
@Entity('idempotent_calls')
export class IdempotentCall {
  @PrimaryColumn(TEXT) actor!: string;
  @PrimaryColumn(TEXT) key!: string;
  /** Hash of the request. */
  @Column(TEXT) fingerprint!: string;
  @Column(TEXT) state!: 'running' | 'done';
  @Column(JSON_OR_NULL) answer!: unknown;
  @Column(TIME) createdAt!: Date;
}

/** After this time a running call counts as abandoned: its process died. */
const ABANDONED_SECONDS = 60;

export interface IdempotencyClaim {
  actor: string;
  key: string;
  fingerprint: string;
}

export class IdempotencyRepository extends SqlRepository<IdempotentCall> {
  protected readonly entity = IdempotentCall;

  /** Claims the key for one call. Returns `null` if it is ours now, otherwise the call that used it in the last `keepSeconds`. */
  async begin({ actor, key, fingerprint }: IdempotencyClaim, keepSeconds: number): Promise<IdempotentCall | null> {
    for (;;) {
      const claimed = await this.run(
        `INSERT INTO idempotent_calls AS c (actor, key, fingerprint) VALUES ($1, $2, $3)
         ON CONFLICT (actor, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'running', answer = NULL, created_at = now()
         WHERE c.created_at < now() - make_interval(secs => $4)
            OR (c.state = 'running' AND c.created_at < now() - make_interval(secs => ${ABANDONED_SECONDS}))
         RETURNING 1`,
        [actor, key, fingerprint, keepSeconds],
      );
      if (claimed.count > 0) return null;
      const other = await this.row('SELECT * FROM idempotent_calls WHERE actor = $1 AND key = $2', [actor, key]);
      // `null` if it was released between the two statements
      if (other !== null) return other;
    }
  }

  async finish({ actor, key, fingerprint }: IdempotencyClaim, answer: unknown): Promise<void> {
    await this.run(
      `UPDATE idempotent_calls SET state = 'done', answer = $4::jsonb WHERE actor = $1 AND key = $2 AND fingerprint = $3 AND state = 'running'`,
      [actor, key, fingerprint, JSON.stringify(answer ?? null)],
    );
  }

  /** Frees the key of a failed call. */
  async release({ actor, key, fingerprint }: IdempotencyClaim): Promise<void> {
    await this.run(`DELETE FROM idempotent_calls WHERE actor = $1 AND key = $2 AND fingerprint = $3 AND state = 'running'`, [
      actor,
      key,
      fingerprint,
    ]);
  }
}
