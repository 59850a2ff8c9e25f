import type { PodLogs } from '@autoposter/cluster';

/** One line of a process's output. */
export interface ProcessLine {
  /** Milliseconds since 1970; a line without a timestamp takes that of the previous line. */
  at: number;
  process: string;
  fromErrorStream: boolean;
  text: string;
}

/** Log lines of our processes: files of the launcher, or pod logs. */
export interface LogSource {
  /** The last lines of the gateway (`server`) or of all processes, oldest first. */
  tail(scope: 'server' | 'all', lines: number): Promise<ProcessLine[]>;
  /** Where to find the output if it cannot be read here; `null` if it can. */
  elsewhere(): Promise<string | null>;
  /** Hides all lines written before `now`. */
  clear(now: Date): Promise<void>;
}

export const KEPT_ELSEWHERE =
  'The logs are not stored where this screen can read them. With Docker Compose, use "docker compose logs --follow"; ' +
  'elsewhere, set LOG_DIR to the folder that contains the files <process>-out.log.';

/** For installations whose logs cannot be read by the gateway. */
export class NoLogs implements LogSource {
  async tail(): Promise<ProcessLine[]> {
    return [];
  }

  async elsewhere(): Promise<string> {
    return KEPT_ELSEWHERE;
  }

  async clear(): Promise<void> {
    // no logs to clear
  }
}

/** Label selectors; `server` selects the gateway. */
interface PodSelectors {
  all: string;
  server: string;
}

/** Pod logs cannot be deleted: clearing moves this mark, and older lines are hidden. */
interface ClearMark {
  read(): Promise<Date | null>;
  move(to: Date): Promise<void>;
}

export class PodLogSource implements LogSource {
  constructor(
    private readonly logs: () => Promise<PodLogs>,
    private readonly selectors: PodSelectors,
    private readonly mark: ClearMark,
  ) {}

  async tail(scope: 'server' | 'all', lines: number): Promise<ProcessLine[]> {
    const since = await this.mark.read();
    const found = await (await this.logs()).tail(this.selectors[scope], lines, since);
    // the kubelet merges stdout and stderr; errors are recognised by their level
    const read = found.map(({ at, pod, text }) => ({ at: Date.parse(at), process: pod, fromErrorStream: false, text }));
    return read.filter((line) => since === null || line.at > since.getTime());
  }

  async elsewhere(): Promise<null> {
    return null;
  }

  async clear(now: Date): Promise<void> {
    await this.mark.move(now);
  }
}
