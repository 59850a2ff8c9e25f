import { Column, Entity, PrimaryColumn } from 'typeorm';
import { INTEGER, INTEGER_OR_NULL, TIME_OR_NULL } from '../database/columns';

/** The request budget of one provider, shared by all processes. */
@Entity('provider_budgets')
export class ProviderBudgetRow {
  @PrimaryColumn({ type: 'text' })
  provider!: string;

  @Column(INTEGER_OR_NULL)
  total!: number | null;

  @Column(INTEGER_OR_NULL)
  remaining!: number | null;

  @Column(TIME_OR_NULL)
  windowEndsAt!: Date | null;

  @Column(TIME_OR_NULL)
  probeUntil!: Date | null;

  @Column(TIME_OR_NULL)
  blockedUntil!: Date | null;

  @Column(INTEGER)
  refusals!: number;
}
