import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PeerOrder, PeerStart, PeerWord } from './peer-talk';

export type Through = Extract<PeerWord, { seconds: number }>;

/** One side of the comparison as a process of its own, so that its CPU time is its own. */
export class PeerChild {
  private constructor(private readonly child: ChildProcess) {}

  static async start(program: string, start: PeerStart, nodeArguments: readonly string[] = []): Promise<PeerChild> {
    const child = fork(program, [JSON.stringify(start)], { execArgv: [...nodeArguments] });
    const peer = new PeerChild(child);
    const endNow = (): void => void child.kill('SIGKILL');
    process.on('exit', endNow);
    child.once('exit', () => process.off('exit', endNow));
    await peer.hear();
    return peer;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Sends items through all four stages; resolves when all are through and settled. */
  async send(items: number): Promise<Through> {
    this.order({ items });
    const word = await this.hear();
    if (typeof word === 'string' || 'trouble' in word) throw new Error('it did not say how it went');
    return word;
  }

  async end(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.order('end');
    const patience = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await gone;
    clearTimeout(patience);
  }

  private order(order: PeerOrder): void {
    this.child.send(order);
  }

  private async hear(): Promise<PeerWord> {
    const listening = new AbortController();
    const { signal } = listening;
    try {
      const [word] = (await Promise.race([
        once(this.child, 'message', { signal }),
        once(this.child, 'exit', { signal }).then(([code, by]) => Promise.reject(new Error(`it ended (${String(by ?? code)})`))),
      ])) as [PeerWord];
      if (typeof word === 'object' && 'trouble' in word) throw new Error(word.trouble);
      return word;
    } finally {
      listening.abort();
    }
  }
}
