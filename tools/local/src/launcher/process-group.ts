import path from 'node:path';
import { type ProcessSpec, SupervisedProcess } from '../processes/supervised-process';

/** All processes of a run: started one by one, listed for the state file, stopped in the reverse order of their ranks. */
export class ProcessGroup {
  private closed = false;
  private readonly members: { rank: number; process: SupervisedProcess }[] = [];

  constructor(
    private readonly dataDir: string,
    private readonly say: (text: string) => void,
    private readonly onChange: () => void,
  ) {}

  /** Members of a higher rank need those of a lower one and are stopped before them. */
  start(rank: number, spec: Omit<ProcessSpec, 'logFolder'>): SupervisedProcess {
    if (this.closed) throw new Error('stopping');
    const started = new SupervisedProcess({ ...spec, logFolder: path.join(this.dataDir, 'logs') }, this.say, this.onChange);
    this.members.push({ rank, process: started });
    started.start();
    return started;
  }

  identities() {
    return this.members.map(({ process }) => process.identity).filter((identity) => identity !== null);
  }

  async stop(): Promise<void> {
    this.closed = true;
    const ranks = [...new Set(this.members.map(({ rank }) => rank))].sort((a, b) => b - a);
    for (const rank of ranks) await Promise.all(this.members.filter((member) => member.rank === rank).map(({ process }) => process.stop()));
  }

  kill(): void {
    for (const { process } of this.members) process.kill();
  }
}
