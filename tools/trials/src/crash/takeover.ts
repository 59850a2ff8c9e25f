import type { JobFacts } from './item-facts';

export interface Takeover {
  stage: string;
  /** Milliseconds from the kill to the next claim. */
  ms: number;
}

/** When a process was killed (milliseconds since 1970), and in how many milliseconds its job has to be claimed again. */
export interface Kill {
  at: number;
  /** Infinite as long as nobody is there who could take it. */
  bound: number;
}

/**
 * Watches the jobs of an item, look by look, for the claim that follows a kill. A lease begins at its claim, so that time is known to the
 * millisecond even where the looks are further apart.
 */
export class TakeoverWatch {
  private readonly orphans = new Map<string, { stage: string; fence: number; kill: Kill }>();
  private readonly fences = new Map<string, number>();
  readonly seen: (Takeover & { kill: Kill })[] = [];

  constructor(private readonly leaseMs: number) {}

  /** `pid` was killed: its job, and one of its stages that waits to be claimed at all, is awaited. */
  killed(jobs: readonly JobFacts[], pid: number, stages: readonly string[], kill: Kill): void {
    for (const { id, stage, state, fence, owner } of jobs) {
      const held = state === 'running' && owner?.endsWith(`/${pid}`);
      const untaken = state === 'requested' && stages.includes(stage);
      if (held || untaken) this.orphans.set(id, { stage, fence, kill });
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
      this.seen.push({ stage: orphan.stage, ms: Math.max(0, Math.round(claimedAt - orphan.kill.at)), kill: orphan.kill });
    }
  }

  /** Jobs that nobody has taken yet. */
  get open(): number {
    return this.orphans.size;
  }
}
