import type { Start } from './sleeping.stage';

export interface Evidence {
  jobIds: readonly string[];
  starts: readonly Start[];
  /** When each killed member was killed, in milliseconds since the epoch. */
  killedAt: ReadonlyMap<string, number>;
  /** Jobs that effects name, once per effect. */
  effects: readonly string[];
  /** Jobs that completion events name, once per event. */
  completed: readonly string[];
}

export interface Verdict {
  starts: number;
  restarted: number;
  effectsPerJob: number;
  /** Milliseconds from a kill to the next start of a job that ran there; `null` where none did. */
  longestTakeoverMs: number | null;
  faults: string[];
}

/** Exactly one committed effect per job; a further start only after the member of the start before it had been killed. */
export function judge({ jobIds, starts, killedAt, effects, completed }: Evidence): Verdict {
  const faults: string[] = [];
  let restarted = 0;
  let longestTakeoverMs: number | null = null;
  for (const jobId of jobIds) {
    const ofJob = starts.filter((start) => start.jobId === jobId).sort((one, other) => one.at - other.at);
    if (ofJob.length === 0) faults.push(`job ${jobId} never started`);
    if (ofJob.length > 1) restarted += 1;
    for (const [index, start] of ofJob.slice(1).entries()) {
      const before = ofJob[index]?.member ?? '';
      const killed = killedAt.get(before);
      if (killed === undefined || killed > start.at) faults.push(`job ${jobId} started again on ${start.member} while ${before} lived`);
      else longestTakeoverMs = Math.max(longestTakeoverMs ?? 0, start.at - killed);
    }
    for (const [what, list] of Object.entries({ effects, completed })) {
      const times = list.filter((id) => id === jobId).length;
      if (times !== 1) faults.push(`job ${jobId} has ${times} ${what}`);
    }
  }
  const known = new Set(jobIds);
  for (const id of [...effects, ...completed]) if (!known.has(id)) faults.push(`an effect names ${id}, which is no job of this trial`);
  return { starts: starts.length, restarted, effectsPerJob: effects.length / jobIds.length, longestTakeoverMs, faults };
}
