import type { AnyStage } from './any-stage';
import { claimJob, claimTogether, type Begun, type ClaimAsk } from './begin-job';
import type { RunSettings } from './run-settings';

interface Waiting {
  ask: ClaimAsk;
  resolve(begun: Begun | null): void;
  reject(error: unknown): void;
}

/**
 * Claims that are asked for in the same turn of the event loop are made in one transaction: messages come in batches, and each commit is a
 * write to the disk. Where one of them fails, each is made for itself, so that no job suffers for another.
 */
export class ClaimsTogether {
  private waiting: Waiting[] = [];

  constructor(
    private readonly settings: Pick<RunSettings, 'database' | 'owner' | 'leaseSeconds'>,
    private readonly stage: AnyStage,
  ) {}

  /** `null` where the job cannot be had now. */
  claim(jobId: string, turn: number | null): Promise<Begun | null> {
    const { owner, leaseSeconds } = this.settings;
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => void this.make());
      this.waiting.push({ ask: { jobId, turn, owner, leaseSeconds }, resolve, reject });
    });
  }

  private async make(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    const { database } = this.settings;
    if (waiting.length > 1) {
      try {
        const begun = await claimTogether(
          database,
          this.stage,
          waiting.map(({ ask }) => ask),
        );
        for (const [index, { resolve }] of waiting.entries()) resolve(begun[index] ?? null);
        return;
      } catch (error) {
        if (database.isOutage(error)) {
          for (const { reject } of waiting) reject(error);
          return;
        }
      }
    }
    for (const { ask, resolve, reject } of waiting) claimJob(database, this.stage, ask).then(resolve, reject);
  }
}
