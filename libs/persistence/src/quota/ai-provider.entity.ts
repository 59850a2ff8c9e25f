import type { AiProvider, Failure } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID_OR_NULL, INTEGER, JSON_OR_NULL, TEXT, TIME_OR_NULL } from '../database/columns';

/** A configured AI provider: its breaker, and what the workers were configured with. */
@Entity('ai_providers')
export class AiProviderRow {
  @PrimaryColumn({ type: 'text' })
  provider!: AiProvider;

  @Column(TEXT)
  model!: string;

  /** Digest of key, model and address: with another one the breaker starts closed. */
  @Column(TEXT)
  configuration!: string;

  /** AI_DAILY_LIMIT of the workers. */
  @Column(INTEGER)
  dailyLimit!: number;

  @Column(JSON_OR_NULL)
  failure!: Failure | null;

  /** New whenever a closed breaker opens, so that a person marks one incident as seen and not all. */
  @Column(ID_OR_NULL)
  incident!: string | null;

  @Column(TIME_OR_NULL)
  refusedAt!: Date | null;

  @Column(TIME_OR_NULL)
  retryAt!: Date | null;

  @Column(INTEGER)
  refusals!: number;

  @Column(ID_OR_NULL)
  probeJob!: string | null;

  @Column(TIME_OR_NULL)
  probeUntil!: Date | null;
}
