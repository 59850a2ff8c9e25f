import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { SeededRandom } from '../trial';

/** The argument of a member process. */
export interface MemberSettings {
  name: string;
  /** `null` on the postgres bus. */
  brokers: string[] | null;
  databaseUrl: string;
  startsFile: string;
  workRoot: string;
  leaseSeconds: number;
  sessionMs: number;
  slots: number;
}

interface Member {
  name: string;
  child: ChildProcess;
  state: 'joining' | 'joined' | 'leaving' | 'gone';
  /** Time of the SIGKILL in milliseconds since the epoch, or `null`. */
  killedAt: number | null;
}

const JOIN_WITHIN_MS = 90_000;

/** The processes of a consumer group and how each one ended. */
export class ConsumerPool {
  readonly members: Member[] = [];
  readonly failures: string[] = [];
  private leaves = 0;

  constructor(
    private readonly settings: Omit<MemberSettings, 'name'>,
    private readonly program: string,
    private readonly logFile: string,
    private readonly random: SeededRandom,
  ) {}

  get running(): Member[] {
    return this.members.filter((one) => one.state === 'joining' || one.state === 'joined');
  }

  /** Starts a process; resolves when it is a member of the group. */
  async join(): Promise<void> {
    const name = `member-${this.members.length + 1}`;
    const log = openSync(this.logFile, 'a');
    const settings: MemberSettings = { ...this.settings, name };
    const child = fork(this.program, [JSON.stringify(settings)], { stdio: ['ignore', log, log, 'ipc'] });
    closeSync(log);
    const member: Member = { name, child, state: 'joining', killedAt: null };
    this.members.push(member);
    child.on('exit', (code, signal) => {
      const expected = member.state === 'leaving' && (member.killedAt === null ? code === 0 : signal === 'SIGKILL');
      if (!expected) this.failures.push(`${name} exited unexpectedly while ${member.state} (${signal ?? `code ${code}`})`);
      member.state = 'gone';
    });
    const joined = new Promise<void>((resolve) => child.once('message', () => resolve()));
    await Promise.race([joined, once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, JOIN_WITHIN_MS).unref())]);
    if (member.state === 'joining') member.state = 'joined';
  }

  /** Stops one member, alternately with SIGKILL and SIGTERM. */
  leaveOne(): void {
    const candidates = this.members.filter((one) => one.state === 'joined');
    const member = candidates[Math.floor(this.random.next() * candidates.length)];
    if (member === undefined) return;
    member.state = 'leaving';
    const kill = this.leaves++ % 2 === 0;
    if (kill) member.killedAt = Date.now();
    member.child.kill(kill ? 'SIGKILL' : 'SIGTERM');
  }

  count(how: 'joined' | 'killed' | 'terminated'): number {
    if (how === 'joined') return this.members.length;
    const left = this.members.filter((one) => one.state === 'leaving' || one.state === 'gone');
    return left.filter((one) => (one.killedAt !== null) === (how === 'killed')).length;
  }

  /** Kills the remaining members. */
  async close(): Promise<void> {
    await Promise.all(
      this.members
        .filter((one) => one.state !== 'gone')
        .map((one) => {
          const gone = once(one.child, 'exit');
          one.state = 'leaving';
          one.killedAt ??= Date.now();
          one.child.kill('SIGKILL');
          return gone;
        }),
    );
  }
}
