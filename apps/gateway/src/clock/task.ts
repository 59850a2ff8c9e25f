/** Something that the clock does again and again. `run` is safe to repeat, and to be cut off in the middle. */
export interface Task {
  /** Verb and noun, as in the file's name. */
  readonly id: string;
  readonly description: string;
  run(now: Date): Promise<void>;
}

/** Keeps the pipeline going or watches over it; not stopped by the task scheduler's switch. */
export interface Heartbeat extends Task {
  readonly everySeconds: number;
}

export const isHeartbeat = (task: Task): task is Heartbeat => 'everySeconds' in task;
