import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from '../trial';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Milliseconds since 1970. */
  at: number;
}

const KEPT_CHARACTERS = 20_000;

const alive = new Set<ChildProcess>();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** One bundled program as a process of its own. It never outlives the trial. */
export class Program {
  readonly ended: Promise<Ended>;
  private text = '';
  private end: Ended | null = null;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    alive.add(child);
    const listen = (chunk: Buffer): void => void (this.text = (this.text + chunk.toString()).slice(-KEPT_CHARACTERS));
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    this.ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      alive.delete(child);
      this.end = { code: code as number | null, signal: signal as NodeJS.Signals | null, at: Date.now() };
      return this.end;
    });
  }

  /** Starts `dist/<place>/main.cjs`. */
  static start(place: string, options: { args?: readonly string[]; env: Record<string, string> }): Program {
    const file = path.join(ROOT, 'dist', place, 'main.cjs');
    const child = spawn(process.execPath, ['--enable-source-maps', file, ...(options.args ?? [])], {
      cwd: ROOT,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Program(path.basename(place), child);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.end === null;
  }

  /** What it said last. */
  get words(): string {
    return this.text;
  }

  /** The last lines in which it warned or complained. */
  get complaints(): string[] {
    return this.text.split('\n').filter((line) => /"level":"(?:warn|error)"/u.test(line));
  }

  /** Resolves with the first of its words that match; rejects when it ends before, or after `withinMs`. */
  async says(pattern: RegExp, withinMs = 60_000): Promise<RegExpMatchArray> {
    for (const until = Date.now() + withinMs; ;) {
      const match = this.text.match(pattern);
      if (match !== null) return match;
      if (this.end !== null || Date.now() > until) throw new Error(`${this.name} did not come up:\n${this.text.slice(-3000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  send(signal: NodeJS.Signals): void {
    if (this.end === null) this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.send('SIGCONT');
    this.send(signal);
    await this.ended;
  }
}
