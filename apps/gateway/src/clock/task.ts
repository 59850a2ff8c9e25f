/**
 * Something that the clock does again and again. `run` is safe to repeat, and to be cut off in the middle. It gets no time: what is due is
 * decided by the database clock, for that of a process may be wrong.
 */
export interface Task {
  /** Verb and noun, as in the file's name. */
  readonly id: string;
  readonly description: string;
  run(): Promise<void>;
}

/** Keeps the pipeline going or watches over it; not stopped by the task scheduler's switch. */
export interface Heartbeat extends Task {
  readonly everySeconds: number;
}
