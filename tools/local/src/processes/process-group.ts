import path from 'node:path';
import type { Environment } from '../launcher/options';
import { type ProcessSpec, SupervisedProcess } from './supervised-process';

/** The order in which the processes of a run stop is the reverse of this one. */
export const RANK = { database: 0, external: 1, services: 2, development: 3 };

/** All processes of a run: started one by one, listed in the state file, stopped in the reverse order of their ranks. */
export class ProcessGroup {
  private closed = false;
  private readonly members: { rank: number; process: SupervisedProcess }[] = [];

  constructor(
    private readonly dataDir: string,
    private readonly print: (text: string) => void,
    private readonly onChange: () => void,
  ) {}

  /** A process of a higher rank depends on those of a lower one and stops before them. */
  start(rank: number, spec: Omit<ProcessSpec, 'logFolder'>): SupervisedProcess {
    if (this.closed) throw new Error('The processes are stopping.');
    const started = new SupervisedProcess({ ...spec, logFolder: path.join(this.dataDir, 'logs') }, this.print, this.onChange);
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

/** A bundled program, `dist/<place>/main.cjs`, as a supervised process. `inspectPort` opens Node's debugger there. */
export function nodeProcess(
  root: string,
  { name, place, env, inspectPort }: { name: string; place: string; env: Environment; inspectPort?: number },
): Omit<ProcessSpec, 'logFolder'> {
  return {
    name,
    command: process.execPath,
    args: [
      ...(inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`]),
      '--enable-source-maps',
      '--require',
      path.join(root, 'tools/local/exit-with-launcher.cjs'),
      path.join(root, 'dist', place, 'main.cjs'),
    ],
    env,
    cwd: root,
    stopSignal: 'SIGTERM',
    graceMs: 20_000,
    exitsWithLauncher: true,
  };
}
