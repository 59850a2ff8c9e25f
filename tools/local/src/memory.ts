import fs from 'node:fs';
import { isSameProcess } from '../prepare/lock-file.mjs';
import { dataDirOf, type Environment, type Mode } from './launcher/options';
import { readState } from './launcher/run-state';
import { CommandError } from '../prepare/command-line.mjs';

interface Share {
  name: string;
  processes: number;
  megabytes: number;
}

/**
 * Prints the proportional set size of a running product, per service and in all. Memory that processes share (program text, the
 * database's buffers) is counted once in the sum; Linux only.
 */
export function printMemory(request: { mode: Mode; env: Environment; root: string }): number {
  if (process.platform !== 'linux') throw new CommandError('Memory is measured through /proc, which only Linux has.');
  const state = readState(dataDirOf(request.mode, request.env, request.root));
  if (state === null || !isSameProcess({ pid: state.pid, started: null })) {
    throw new CommandError('Nothing is running here; start it with npm run demo in another terminal.');
  }
  const tree = childrenByParent();
  const roots = [{ name: 'launcher', pid: state.pid }, ...state.processes];
  const ofServices = new Set(state.processes.map(({ pid }) => pid));
  const shares = roots.map(({ name, pid }) => shareOf(name, descendants(pid, tree, name === 'launcher' ? ofServices : new Set())));
  const total = shares.reduce((sum, { megabytes }) => sum + megabytes, 0);
  for (const { name, processes, megabytes } of shares) {
    process.stdout.write(`${name.padEnd(20)}${String(processes).padStart(4)} processes${megabytes.toFixed(1).padStart(10)} MB\n`);
  }
  process.stdout.write(`${'all (PSS)'.padEnd(34)}${total.toFixed(1).padStart(10)} MB\n`);
  return 0;
}

function shareOf(name: string, pids: number[]): Share {
  return { name, processes: pids.length, megabytes: pids.reduce((sum, pid) => sum + proportionalKilobytes(pid), 0) / 1024 };
}

function proportionalKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function descendants(pid: number, tree: Map<number, number[]>, except: Set<number>): number[] {
  return [pid, ...(tree.get(pid) ?? []).filter((child) => !except.has(child)).flatMap((child) => descendants(child, tree, except))];
}

function childrenByParent(): Map<number, number[]> {
  const tree = new Map<number, number[]>();
  for (const entry of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const text = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
      const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
      tree.set(parent, [...(tree.get(parent) ?? []), Number(entry)]);
    } catch {
      // it ended meanwhile
    }
  }
  return tree;
}
