import { CLOSED, type AiProvider, type Failure, type ProviderBreaker } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ID_OR_NULL, INTEGER, JSON_OR_NULL, TEXT, TIME_OR_NULL } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A configured AI provider with its circuit breaker. */
@Entity('ai_providers')
export class AiProviderRow {
  @PrimaryColumn(TEXT) provider!: AiProvider;
  @Column(TEXT) model!: string;
  /** Digest of key, model and address; a change closes the breaker. */
  @Column(TEXT) configuration!: string;
  /** AI_DAILY_LIMIT of the workers. */
  @Column(INTEGER) dailyLimit!: number;
  @Column(JSON_OR_NULL) failure!: Failure | null;
  /** New id whenever a closed breaker opens, so that an administrator acknowledges one incident and not later ones. */
  @Column(ID_OR_NULL) incident!: string | null;
  @Column(TIME_OR_NULL) refusedAt!: Date | null;
  @Column(TIME_OR_NULL) retryAt!: Date | null;
  @Column(INTEGER) refusals!: number;
  @Column(ID_OR_NULL) probeJob!: string | null;
  @Column(TIME_OR_NULL) probeUntil!: Date | null;
}

export type ConfiguredProvider = Pick<AiProviderRow, 'provider' | 'model' | 'configuration' | 'dailyLimit'>;

export class AiProviderRepository extends SqlRepository<AiProviderRow> {
  protected readonly entity = AiProviderRow;

  list(): Promise<AiProviderRow[]> {
    return this.rows('SELECT * FROM ai_providers ORDER BY provider');
  }

  /** The row, locked until the transaction ends. */
  lock(provider: AiProvider): Promise<AiProviderRow | null> {
    return this.row('SELECT * FROM ai_providers WHERE provider = $1 FOR UPDATE', [provider]);
  }

  /** Creates the row if it is missing. */
  async ensure({ provider, model, configuration, dailyLimit }: ConfiguredProvider): Promise<void> {
    await this.run(
      'INSERT INTO ai_providers (provider, model, configuration, daily_limit) VALUES ($1, $2, $3, $4) ON CONFLICT (provider) DO NOTHING',
      [provider, model, configuration, dailyLimit],
    );
  }

  /** Writes the configuration; a change of key, model or address closes the breaker. Returns whether anything changed. */
  async configure(configured: ConfiguredProvider): Promise<boolean> {
    await this.ensure(configured);
    const row = await this.lock(configured.provider);
    if (row === null) throw new Error(`the row of ${configured.provider} does not exist`);
    const isSame = row.configuration === configured.configuration;
    if (isSame && row.dailyLimit === configured.dailyLimit) return false;
    await this.write(configured.provider, { ...configured, ...(isSame ? {} : { ...CLOSED, incident: null }) });
    return true;
  }

  /** Deletes all providers but these, and returns the deleted ones. */
  async keepOnly(providers: readonly AiProvider[]): Promise<AiProvider[]> {
    return this.column('DELETE FROM ai_providers WHERE provider <> ALL($1::text[]) RETURNING provider', [providers]);
  }

  /** Writes the breaker of a locked row. */
  async save(row: AiProviderRow, breaker: ProviderBreaker): Promise<void> {
    const incident = breaker.failure === null ? null : (row.incident ?? uuidv7());
    await this.write(row.provider, { ...breaker, incident });
  }

  private async write(provider: AiProvider, values: Partial<AiProviderRow>): Promise<void> {
    const set = this.assignments(values, 2);
    await this.run(`UPDATE ai_providers SET ${set.text} WHERE provider = $1`, [provider, ...set.parameters]);
  }
}
