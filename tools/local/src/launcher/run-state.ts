import fs from 'node:fs';
import path from 'node:path';
import { isSameProcess } from '../../prepare/lock-file.mjs';
import { killGroup } from '../processes/supervised-process';
import type { Mode } from './options';

interface RunningProcess {
  name: string;
  pid: number;
  started: string | null;
}

/** The running product, for people and tools: `<DATA_DIR>/run/state.json`, which exists only while the launcher runs. */
export interface RunState {
  mode: Mode;
  pid: number;
  startedAt: string;
  /** When every service was ready; `null` before. */
  readyAt: string | null;
  address: string;
  ports: Record<string, number>;
  addresses: Record<string, string>;
  databaseUrl: string;
  processes: RunningProcess[];
}

export const runFolder = (dataDir: string): string => path.join(dataDir, 'run');
const stateFile = (dataDir: string): string => path.join(runFolder(dataDir), 'state.json');
const portsFile = (dataDir: string): string => path.join(runFolder(dataDir), 'ports.json');

/** Replaced atomically, so that a reader never sees half of it; readable by the owner only, because it contains the database password. */
export function writeState(dataDir: string, state: RunState): void {
  const draft = `${stateFile(dataDir)}.new`;
  fs.writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(draft, stateFile(dataDir));
}

export const readState = (dataDir: string): RunState | null => readJson<RunState>(stateFile(dataDir));

export const removeState = (dataDir: string): void => fs.rmSync(stateFile(dataDir), { force: true });

/** Ports of the last run: stored posts contain addresses of the simulators, so a new run reuses their ports where they are free. */
export const readPorts = (dataDir: string): Record<string, number> => readJson<Record<string, number>>(portsFile(dataDir)) ?? {};

export const writePorts = (dataDir: string, ports: Record<string, number>): void =>
  fs.writeFileSync(portsFile(dataDir), JSON.stringify(ports));

/** Terminates the processes of a killed launcher, with SIGKILL after five seconds. Returns their number. */
export async function endLeftovers(dataDir: string): Promise<number> {
  const left = (readState(dataDir)?.processes ?? []).filter(({ name }) => name !== 'postgres').filter(isSameProcess);
  for (const { pid } of left) killGroup(pid, 'SIGTERM');
  for (const until = Date.now() + 5_000; left.some(isSameProcess);) {
    if (Date.now() > until) for (const { pid } of left) killGroup(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return left.length;
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
