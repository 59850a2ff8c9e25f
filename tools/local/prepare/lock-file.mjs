import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * A lock with one holder at a time: a file that contains the holder's process id. The file of a process that has ended is taken over: it
 * is renamed first, and restored if another process took the lock in between.
 * @returns {(() => void) | {pid: number}} the release function, or the holder
 */
export function takeLock(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, mine);
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      try {
        fs.linkSync(draft, file);
        return () => release(file, mine);
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const text = readOr(file, '');
      const holder = parse(text);
      if (holder !== null && isSameProcess(holder)) return { pid: holder.pid };
      moveAway(file, text);
    }
    throw new Error(`cannot take ${file}`);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Waits for the lock; `onWait` is called once with the holder's process id. */
export async function waitForLock(file, onWait) {
  let reported = false;
  for (;;) {
    const taken = takeLock(file);
    if (typeof taken === 'function') return taken;
    if (!reported) onWait(taken.pid);
    reported = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The system reuses process ids; together with the start time an id is unique. */
export const isSameProcess = ({ pid, started }) => isAlive(pid) && (started === null || started === undefined || startOf(pid) === started);

/** Start time of a process, for comparison only (clock ticks since boot on Linux, a date elsewhere); `null` where it is unknown. */
export function startOf(pid) {
  if (process.platform === 'linux') return statOf(pid)?.[19] ?? null;
  if (process.platform === 'win32') return null;
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || null;
}

const isZombie = (pid) => statOf(pid)?.[0] === 'Z';

/** Fields of /proc/<pid>/stat from the third on; the second is a name in brackets that may contain spaces. */
function statOf(pid) {
  const text = readOr(`/proc/${pid}/stat`, '');
  return text === '' ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function moveAway(file, text) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readOr(aside, '') !== text) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // a third process holds the lock now
    }
  }
  fs.rmSync(aside, { force: true });
}

function release(file, mine) {
  if (readOr(file, '') === mine) fs.rmSync(file, { force: true });
}

function readOr(file, otherwise) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return Number.isInteger(value.pid) ? value : null;
  } catch {
    return null;
  }
}
