/** One line of a process's output. */
export interface ProcessLine {
  /** Milliseconds since 1970; lines without a time of their own take that of the line before. */
  at: number;
  process: string;
  /** Whether it came through the error stream. */
  fromErrorStream: boolean;
  text: string;
}

/** Where the output of the product's processes lies: files of the launcher, or the logs of pods. */
export interface LogSource {
  /** The last lines of the gateway (`server`) or of all processes, oldest first. */
  tail(scope: 'server' | 'all', lines: number): Promise<ProcessLine[]>;
  /** Makes what was written until now disappear from the answers. */
  clear(now: Date): Promise<void>;
}

/** A process whose output is kept nowhere that we can read. */
export class NoLogs implements LogSource {
  async tail(): Promise<ProcessLine[]> {
    return [];
  }

  async clear(): Promise<void> {
    // There is nothing to clear.
  }
}
