import type { JobFacts } from './item-facts';

export interface Takeover {
  stage: string;
  /** Milliseconds from the kill to the next claim. */
  ms: number;
  /** Of these, how many went by after somebody was there to claim it. */
  readyMs: number;
}

/** When a process was killed (milliseconds since 1970), and when there was another one in its place. */
export interface Kill {
  at: number;
  /** Milliseconds after the kill at which somebody was there who could take it; infinite until then. */
  readyAfter: number;
}

/**
 * Watches the jobs of an item, look by look, for the claim that follows a kill. A lease begins at its claim, so that time is known to the
 * millisecond even where the looks are further apart.
 */
export class TakeoverWatch {
  private readonly orphans = new Map<string, { stage: string; fence: number; kill: Kill }>();
  private readonly fences = new Map<string, number>();
  readonly seen: { stage: string; ms: number; kill: Kill }[] = [];

  /** How long each took, as far as it is known who was there. */
  get takeovers(): Takeover[] {
    return this.seen.map(({ stage, ms, kill }) => ({ stage, ms, readyMs: Math.max(0, ms - kill.readyAfter) }));
  }

  /** Claimed later than the lease and `graceMs` allow; who started anew has the grace from when it was ready. */
  late(graceMs: number): string[] {
    return this.seen
      .filter(({ ms, kill }) => ms > Math.max(kill.readyAfter, this.leaseMs) + graceMs)
      .map(({ stage, ms, kill }) => `${stage} was taken over after ${ms} ms, by a process that was there after ${kill.readyAfter} ms`);
  }

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
