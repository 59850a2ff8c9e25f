import type { Failure } from '@autoposter/domain';
import type { Database } from '@autoposter/persistence';

/** How often the platform said of an attempt's finished container that it is not ready to be published. */
export interface Refusals {
  countOf(attemptId: string): Promise<number>;
}

/** The ledger keeps the last refusal and how many there were. */
export const refusedTimes = (failure: Failure, times: number): Failure => ({ ...failure, detail: { ...failure.detail, refusals: times } });

export const refusalsIn = ({ read }: Pick<Database, 'read'>): Refusals => ({
  countOf: async (attemptId) => Number((await read.attempts.find(attemptId))?.failure?.detail?.['refusals'] ?? 0),
});
