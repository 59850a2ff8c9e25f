import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../prepare/single-run.mjs';
import { PlainStop } from '../plain-stop';
import type { ProcessSpec } from '../processes/supervised-process';
import { completeBinaries, copyBinaries, findBinaries, majorOf, type PostgresBinaries } from './binaries';
import { canReach, type Owner, serverOwner } from './owner';

const USER = 'autoposter';
const DATABASE = 'autoposter';
/** Where a server that may not see our own folder keeps its programs and data. */
const FOLDER_FOR_ALL = '/var/lib/autoposter';

export interface PreparedPostgres {
  url: string;
  dataFolder: string;
  isNew: boolean;
  process: Omit<ProcessSpec, 'logFolder'>;
}

/**
 * Makes a cluster ready to be started on `port`: programs complete and reachable, cluster and database created, a server that a
 * killed run left behind stopped. Data lies in `<dataDir>/postgres` or, where the server's account cannot get there, in a folder of
 * /var/lib named after it.
 */
export async function preparePostgres(options: {
  root: string;
  dataDir: string;
  port: number;
  say: (text: string) => void;
  folderForAll?: string;
}): Promise<PreparedPostgres> {
  const folderForAll = options.folderForAll ?? FOLDER_FOR_ALL;
  const owner = serverOwner();
  let binaries = findBinaries(options.root);
  completeBinaries(binaries);
  const major = majorOf(binaries);
  if (owner !== null && !canReach(binaries.home, owner)) {
    fs.mkdirSync(folderForAll, { recursive: true, mode: 0o755 });
    binaries = copyBinaries(binaries, folderForAll);
  }
  const dataFolder = postgresFolder(options.dataDir, owner, folderForAll);
  await stopLeftover(dataFolder, options.say);
  const passwordFile = path.join(options.dataDir, 'run/postgres-password');
  const note = path.join(options.dataDir, 'postgres-folder.txt');
  const isElsewhere = path.relative(options.dataDir, dataFolder).startsWith('..');
  if (isElsewhere && ![note, passwordFile].some((file) => fs.existsSync(file))) setAside(dataFolder, options.say);
  const hasCluster = isOfMajor(dataFolder, major);
  const isNew = !hasCluster || !(fs.existsSync(passwordFile) || renewPassword(binaries, dataFolder, passwordFile, owner));
  if (isNew) createCluster(binaries, dataFolder, passwordFile, owner);
  if (isElsewhere) fs.writeFileSync(note, `${dataFolder}\n`);
  const password = fs.readFileSync(passwordFile, 'utf8').trim();
  return {
    url: `postgresql://${USER}:${password}@127.0.0.1:${options.port}/${DATABASE}`,
    dataFolder,
    isNew,
    process: {
      name: 'postgres',
      command: binaries.postgres,
      args: ['-D', dataFolder, '-p', String(options.port)],
      env: serverEnvironment(),
      cwd: '/',
      stopSignal: 'SIGINT',
      graceMs: 15_000,
      leavesWithUs: false,
      ...(owner === null ? {} : { owner }),
    },
  };
}

/** The folder of the cluster for a DATA_DIR; what `--reset` has to remove. */
export function postgresFolder(dataDir: string, owner: Owner | null = serverOwner(), folderForAll = FOLDER_FOR_ALL): string {
  if (owner === null || canReach(dataDir, owner)) return path.join(dataDir, 'postgres');
  return path.join(folderForAll, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`, 'postgres');
}

/** A server whose launcher was killed goes on alone: it is asked to stop, so that the new one starts clean on its own port. */
export async function stopLeftover(dataFolder: string, say: (text: string) => void): Promise<void> {
  const pidFile = path.join(dataFolder, 'postmaster.pid');
  if (!fs.existsSync(pidFile)) return;
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid) || !commandOf(pid).includes(dataFolder)) {
    fs.rmSync(pidFile, { force: true });
    return;
  }
  say('Stopping the database server that a former run left behind.');
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    process.kill(pid, signal);
    for (const until = Date.now() + patienceMs; Date.now() < until;) {
      if (!isAlive(pid)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new PlainStop(`The database server of a former run (process ${pid}) does not stop; end it and start again.`);
}

/**
 * A cluster outside of DATA_DIR outlives it, but the files that its rows tell of went with it: a DATA_DIR that knows of no cluster begins
 * with an empty one. The last one that was there before is kept beside it.
 */
function setAside(dataFolder: string, say: (text: string) => void): void {
  if (!fs.existsSync(dataFolder)) return;
  const before = `${dataFolder}.before`;
  fs.rmSync(before, { recursive: true, force: true });
  fs.renameSync(dataFolder, before);
  say(`The database of an earlier DATA_DIR of this name was moved to ${before}.`);
}

/** Whether a cluster is there. One of another major version is refused: this server cannot read it. */
function isOfMajor(dataFolder: string, major: string): boolean {
  const file = path.join(dataFolder, 'PG_VERSION');
  if (!fs.existsSync(file)) return false;
  const found = fs.readFileSync(file, 'utf8').trim();
  if (found === major) return true;
  throw new PlainStop(
    `The database in ${dataFolder} was made by PostgreSQL ${found || '(unknown)'} and this is ${major}: move it with pg_dump of that version, or begin with another DATA_DIR.`,
  );
}

/**
 * Gives a cluster whose password was lost a new one, so that its content is not. False where there is nothing to lose: its making was
 * broken off before the database was in it.
 */
function renewPassword(binaries: PostgresBinaries, dataFolder: string, passwordFile: string, owner: Owner | null): boolean {
  const settings = path.join(dataFolder, 'postgresql.conf');
  if (!fs.existsSync(settings) || !fs.readFileSync(settings, 'utf8').endsWith(SETTINGS)) return false;
  const password = newPassword();
  try {
    run(binaries.postgres, owner, ['--single', '-D', dataFolder, DATABASE], `ALTER ROLE ${USER} PASSWORD '${password}'\n`);
  } catch (error) {
    if ((error as Error).message.includes(`database "${DATABASE}" does not exist`)) return false;
    throw error;
  }
  keepPassword(passwordFile, password);
  return true;
}

const newPassword = (): string => randomBytes(18).toString('base64url');

function keepPassword(file: string, password: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
}

function createCluster(binaries: PostgresBinaries, dataFolder: string, passwordFile: string, owner: Owner | null): void {
  fs.rmSync(dataFolder, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(dataFolder), { recursive: true, mode: 0o755 });
  fs.mkdirSync(dataFolder, { mode: 0o700 });
  const password = newPassword();
  // initdb reads the password as the server's account, which may not see our folder
  const handedOver = path.join(dataFolder, '../postgres-password.new');
  fs.writeFileSync(handedOver, `${password}\n`, { mode: 0o600 });
  if (owner !== null) for (const file of [dataFolder, handedOver]) fs.chownSync(file, owner.uid, owner.gid);
  try {
    run(binaries.initdb, owner, [
      `--pgdata=${dataFolder}`,
      `--username=${USER}`,
      `--pwfile=${handedOver}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]);
  } finally {
    fs.rmSync(handedOver, { force: true });
  }
  fs.appendFileSync(path.join(dataFolder, 'postgresql.conf'), SETTINGS);
  run(binaries.postgres, owner, ['--single', '-D', dataFolder, 'postgres'], `CREATE DATABASE ${DATABASE}\n`);
  keepPassword(passwordFile, password);
}

/** One machine, a handful of services: little memory, full durability (fsync stays on). */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 120
shared_buffers = 64MB
max_wal_size = 256MB
wal_level = minimal
max_wal_senders = 0
jit = off
log_timezone = 'UTC'
timezone = 'UTC'
`;

function run(program: string, owner: Owner | null, args: string[], input = ''): void {
  const done = spawnSync(program, args, { cwd: '/', env: serverEnvironment(), input, encoding: 'utf8', ...owner });
  if (done.status !== 0) {
    throw new PlainStop(
      `${path.basename(program)} did not succeed: ${done.stderr?.trim() || done.error?.message || `code ${done.status}`}`,
    );
  }
}

/** Nothing of our environment but what a server needs; Windows programs do not start without SystemRoot. */
function serverEnvironment(): Record<string, string | undefined> {
  return {
    LC_ALL: 'C',
    LC_MESSAGES: 'C',
    TZ: 'UTC',
    PATH: '/usr/bin:/bin',
    ...(process.platform === 'win32' ? { SystemRoot: 'C:\\Windows' } : {}),
  };
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}
