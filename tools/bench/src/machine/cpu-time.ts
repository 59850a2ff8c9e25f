import fs from 'node:fs';

/** /proc counts ticks of 10 ms on every Linux that Node supports. */
const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  /** User and system time of the process. */
  own: number;
  /** Times of its exited and reaped children. */
  reaped: number;
}

/** Parses /proc/PID/stat from the end of the process name, which may contain any character. */
export function readStat(line: string): ProcessTimes {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, userReaped = 0, systemReaped = 0] = [1, 11, 12, 13, 14].map((index) => fields[index] ?? 0);
  return { parent, own: (user + system) * TICK_MS, reaped: (userReaped + systemReaped) * TICK_MS };
}

/**
 * CPU milliseconds (user and system) of a process and all its descendants, exited ones included. Linux only.
 */
export function cpuOfTree(root: number): number {
  const all = new Map<number, ProcessTimes>();
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      all.set(Number(name), readStat(fs.readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // The process exited.
    }
  }
  const childrenOf = (parent: number): number[] => [...all].flatMap(([pid, times]) => (times.parent === parent ? [pid] : []));
  const sum = (pid: number): number => {
    const times = all.get(pid);
    return times === undefined ? 0 : times.own + times.reaped + childrenOf(pid).reduce((total, child) => total + sum(child), 0);
  };
  if (!all.has(root)) throw new Error(`process ${root} has exited, its CPU time is unavailable`);
  return sum(root);
}

/** CPU milliseconds (user and system) of all exited and reaped descendants of this process. */
export const cpuOfReaped = (): number => readStat(fs.readFileSync('/proc/self/stat', 'utf8')).reaped;
