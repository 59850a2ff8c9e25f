import type { JobFacts } from './item-facts';

export interface Takeover {
  stage: string;
  /** Milliseconds from the kill to the next claim. */
  ms: number;
}

/**
 * Watches the jobs of an item, look by look, for the claim that follows a kill. A lease begins at its claim, so that time is known to the
 * millisecond even where the looks are further apart.
 */
export class TakeoverWatch {
  private readonly orphans = new Map<string, { stage: string; fence: number; killedAt: number; bound: number }>();
  private readonly fences = new Map<string, number>();
  readonly seen: (Takeover & { bound: number })[] = [];

  constructor(private readonly leaseMs: number) {}

  /** `pid` was killed. Its job, and one that waits to be claimed at all, has to be taken within `bound` milliseconds. */
  killed(jobs: readonly JobFacts[], pid: number, stages: readonly string[], kill: { at: number; bound: number }): void {
    for (const { id, stage, state, fence, owner } of jobs) {
      const held = state === 'running' && owner?.endsWith(`/${pid}`);
      const untaken = state === 'requested' && stages.includes(stage);
      if (held || untaken) this.orphans.set(id, { stage, fence, killedAt: kill.at, bound: kill.bound });
    }
  }

  look(jobs: readonly JobFacts[], now: number): void {
    for (const job of jobs) {
      const orphan = this.orphans.get(job.id);
      const isNew = job.fence !== this.fences.get(job.id);
      this.fences.set(job.id, job.fence);
      if (orphan === undefined || !isNew || job.fence <= orphan.fence) continue;
      const claimedAt = job.leaseUntil === null ? now : Math.min(now, job.leaseUntil - this.leaseMs);
      this.orphans.delete(job.id);
      this.seen.push({ stage: orphan.stage, ms: Math.max(0, Math.round(claimedAt - orphan.killedAt)), bound: orphan.bound });
    }
  }

  /** Jobs that nobody has taken yet. */
  get open(): number {
    return this.orphans.size;
  }
}
