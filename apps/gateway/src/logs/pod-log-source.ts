import type { PodLogs } from '@autoposter/cluster';
import type { LogSource, ProcessLine } from './log-source';

/** Which pods are meant; `server` is the gateway. */
export interface PodSelectors {
  all: string;
  server: string;
}

/** Remembers since when lines are shown: the logs of pods cannot be deleted, so clearing moves this mark. */
export interface ClearMark {
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
