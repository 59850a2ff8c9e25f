import type { JobFacts } from './item-facts';

export interface Takeover {
  stage: string;
  /** Milliseconds from the kill to the next claim of the job. */
  ms: number;
  /** The part of `ms` during which another process was ready to claim it. */
  readyMs: number;
}

/** The time of a kill (milliseconds since the epoch) and of its replacement. */
export interface Kill {
  at: number;
  /** Milliseconds from the kill until a replacement was ready; infinite until then. */
  readyAfter: number;
}

/**
 * Detects in successive snapshots of an item's jobs the claim that follows a kill. The claim time derives from the lease expiry, so it is
 * exact although snapshots are further apart.
 */
export class TakeoverMonitor {
  private readonly orphans = new Map<string, { stage: string; fence: number; kill: Kill }>();
  private readonly fences = new Map<string, number>();
  readonly seen: { stage: string; ms: number; kill: Kill }[] = [];

  constructor(private readonly leaseMs: number) {}

  get takeovers(): Takeover[] {
    return this.seen.map(({ stage, ms, kill }) => ({ stage, ms, readyMs: Math.max(0, ms - kill.readyAfter) }));
  }

  /** Number of jobs that no process has taken over yet. */
  get open(): number {
    return this.orphans.size;
  }

  /** Takeovers later than the lease plus `graceMs`; for restarted processes the grace starts when they are ready. */
  late(graceMs: number): string[] {
    return this.seen
      .filter(({ ms, kill }) => ms > Math.max(kill.readyAfter, this.leaseMs) + graceMs)
      .map(({ stage, ms, kill }) => `${stage} was taken over after ${ms} ms by a process that was ready after ${kill.readyAfter} ms`);
  }

  /** Expects takeovers of the killed process's jobs and of unclaimed jobs of its stages. */
  killed(jobs: readonly JobFacts[], pid: number, stages: readonly string[], kill: Kill): void {
    for (const { id, stage, state, fence, owner } of jobs) {
      const held = state === 'running' && owner?.endsWith(`/${pid}`);
      const untaken = state === 'requested' && stages.includes(stage);
      if (held || untaken) this.orphans.set(id, { stage, fence, kill });
    }
  }

  observe(jobs: readonly JobFacts[], now: number): void {
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
}
