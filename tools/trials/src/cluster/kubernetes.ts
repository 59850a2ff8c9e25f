import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { progress } from '../trial';

const forwards = new Set<ChildProcess>();
process.on('exit', () => forwards.forEach((child) => child.kill('SIGKILL')));

/** Runs a program and returns its output; throws with the end of its error output on a non-zero exit code. */
export async function run(program: string, ...args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')}: ${(errors || out).trim().slice(-2000)}`);
  return out;
}

export interface Pod {
  metadata: { name: string; labels: Record<string, string> };
  status: { phase: string; containerStatuses?: { restartCount: number; ready: boolean }[] };
}

/** One namespace of the cluster that KUBECONFIG names. */
export class Namespace {
  constructor(readonly name: string) {}

  kubectl(...args: string[]): Promise<string> {
    return run('kubectl', '--namespace', this.name, ...args);
  }

  helm(...args: string[]): Promise<string> {
    return run('helm', '--namespace', this.name, ...args);
  }

  async list<T>(kinds: string, ...args: string[]): Promise<T[]> {
    return (JSON.parse(await this.kubectl('get', kinds, '-o', 'json', ...args)) as { items: T[] }).items;
  }

  pods(component: string): Promise<Pod[]> {
    return this.list<Pod>('pods', '-l', `app.kubernetes.io/component=${component}`);
  }

  /** Forwards a service port to this machine and returns the local origin. */
  async forward(service: string, port: number): Promise<string> {
    const child = spawn('kubectl', ['--namespace', this.name, 'port-forward', `svc/${service}`, `:${port}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    forwards.add(child);
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return new Promise((resolve, reject) => {
      child.on('exit', () => reject(new Error(`port-forward to ${service} failed: ${errors.trim()}`)));
      child.on('error', reject);
      child.stdout.on('data', (chunk: Buffer) => {
        const found = /Forwarding from (127\.0\.0\.1:\d+)/.exec(chunk.toString());
        if (found !== null) resolve(`http://${found[1]}`);
      });
    });
  }

  /** Prints pods, warnings and logs for troubleshooting. */
  async printDiagnostics(): Promise<void> {
    for (const args of [
      ['get', 'pods,scaledobjects,jobs', '-o', 'wide'],
      ['get', 'events', '--field-selector=type=Warning', '--sort-by=.lastTimestamp'],
      ['logs', '--tail=30', '--prefix', '--all-containers', '-l', 'app.kubernetes.io/part-of=autoposter'],
    ]) {
      progress(await this.kubectl(...args).catch((error: Error) => error.message));
    }
  }
}
