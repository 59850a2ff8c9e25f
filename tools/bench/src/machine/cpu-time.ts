import fs from 'node:fs';

/** Clock ticks of /proc are 10 ms on every Linux that Node supports. */
const TICK_MS = 10;

interface ProcessTimes {
  parent: number;
  /** Of the process itself, user and system. */
  own: number;
  /** Of its children that ended and were waited for. */
  reaped: number;
}

/** Fields of one line of /proc/PID/stat; the name in brackets may hold anything, so they are counted from its end. */
export function readStat(line: string): ProcessTimes {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, userReaped = 0, systemReaped = 0] = [1, 11, 12, 13, 14].map((index) => fields[index] ?? 0);
  return { parent, own: (user + system) * TICK_MS, reaped: (userReaped + systemReaped) * TICK_MS };
}

/**
 * CPU milliseconds, user and system, that a process and everything below it have used until now: of the living and of those that were
 * waited for. The difference of two readings is the cost of what happened in between. Linux only.
 */
export function cpuOfTree(root: number): number {
  const all = new Map<number, ProcessTimes>();
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      all.set(Number(name), readStat(fs.readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // gone meanwhile
    }
  }
  const childrenOf = (parent: number): number[] => [...all].flatMap(([pid, times]) => (times.parent === parent ? [pid] : []));
  const sum = (pid: number): number => {
    const times = all.get(pid);
    return times === undefined ? 0 : times.own + times.reaped + childrenOf(pid).reduce((total, child) => total + sum(child), 0);
  };
  if (!all.has(root)) throw new Error(`process ${root} has ended, its time cannot be read`);
  return sum(root);
}

/** CPU milliseconds, user and system, of all children of this process that ended and were waited for, with their own such children. */
export const cpuOfReaped = (): number => readStat(fs.readFileSync('/proc/self/stat', 'utf8')).reaped;
