import type { PodLogs } from '@autoposter/cluster';

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
  /** A sentence that says where the output is where none can be read here; `null` where it can. */
  elsewhere(): Promise<string | null>;
  /** Makes what was written until now disappear from the answers. */
  clear(now: Date): Promise<void>;
}

export const KEPT_ELSEWHERE =
  'The processes write to their own output, which is not kept where this screen can read it. With Docker Compose look with ' +
  '"docker compose logs --follow"; on a machine of your own let LOG_DIR name the folder that holds the files <process>-out.log.';

/** A process whose output is kept nowhere that we can read. */
export class NoLogs implements LogSource {
  async tail(): Promise<ProcessLine[]> {
    return [];
  }

  async elsewhere(): Promise<string> {
    return KEPT_ELSEWHERE;
  }

  async clear(): Promise<void> {
    // There is nothing to clear.
  }
}

/** Which pods are meant; `server` is the gateway. */
interface PodSelectors {
  all: string;
  server: string;
}

/** Remembers since when lines are shown: the logs of pods cannot be deleted, so clearing moves this mark. */
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
    // The kubelet mixes both streams; the level of the entry tells errors.
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
