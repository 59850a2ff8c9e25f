import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  canReach,
  completeBinaries,
  copyBinaries,
  EmbeddedPostgresError,
  findBinaries,
  majorOf,
  type Owner,
  type PostgresBinaries,
  serverOwner,
} from './binaries';

const USER = 'autoposter';
const DATABASE = 'autoposter';
/** For the programs and data of a server whose account may not enter the launcher's folder. */
const PUBLIC_FOLDER = '/var/lib/autoposter';

export interface PreparedPostgres {
  url: string;
  dataFolder: string;
  isNew: boolean;
  /** The program to start; SIGINT ends it in order. */
  server: { command: string; args: string[]; env: Record<string, string | undefined>; cwd: string; owner?: Owner };
}

/**
 * Prepares a cluster for a start on `port`: completes the programs, creates cluster and database, stops the server of a killed run. Its
 * data is in `<dataDir>/postgres` or, where the server's account may not enter that, in a folder of /var/lib named after its hash.
 */
export async function preparePostgres(options: {
  root: string;
  dataDir: string;
  port: number;
  print: (text: string) => void;
  publicFolder?: string;
  /** Without it a new cluster may be lost with the power, as tests can afford. */
  durable?: boolean;
}): Promise<PreparedPostgres> {
  const publicFolder = options.publicFolder ?? PUBLIC_FOLDER;
  const owner = serverOwner();
  let binaries = findBinaries(options.root);
  completeBinaries(binaries);
  const major = majorOf(binaries);
  if (owner !== null && !canReach(binaries.home, owner)) {
    fs.mkdirSync(publicFolder, { recursive: true, mode: 0o755 });
    binaries = copyBinaries(binaries, publicFolder);
  }
  const dataFolder = postgresFolder(options.dataDir, owner, publicFolder);
  await stopLeftover(dataFolder, options.print);
  const passwordFile = path.join(options.dataDir, 'run/postgres-password');
  const note = path.join(options.dataDir, 'postgres-folder.txt');
  const isOutside = path.relative(options.dataDir, dataFolder).startsWith('..');
  if (isOutside && ![note, passwordFile].some((file) => fs.existsSync(file))) moveAside(dataFolder, options.print);
  const hasCluster = isOfMajor(dataFolder, major);
  const isNew = !hasCluster || !(fs.existsSync(passwordFile) || renewPassword(binaries, dataFolder, passwordFile, owner));
  if (isNew) createCluster(binaries, dataFolder, passwordFile, owner, options.durable ?? true);
  if (isOutside) fs.writeFileSync(note, `${dataFolder}\n`);
  const password = fs.readFileSync(passwordFile, 'utf8').trim();
  return {
    url: `postgresql://${USER}:${password}@127.0.0.1:${options.port}/${DATABASE}`,
    dataFolder,
    isNew,
    server: {
      command: binaries.postgres,
      args: ['-D', dataFolder, '-p', String(options.port)],
      env: serverEnvironment(),
      cwd: '/',
      ...(owner === null ? {} : { owner }),
    },
  };
}

/** The folder of the cluster for a DATA_DIR; `--reset` removes it. */
export function postgresFolder(dataDir: string, owner: Owner | null = serverOwner(), publicFolder = PUBLIC_FOLDER): string {
  if (owner === null || canReach(dataDir, owner)) return path.join(dataDir, 'postgres');
  return path.join(publicFolder, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`, 'postgres');
}

/** The server of a killed launcher keeps running: it is stopped, so that the new one gets its port. */
export async function stopLeftover(dataFolder: string, print: (text: string) => void): Promise<void> {
  const pidFile = path.join(dataFolder, 'postmaster.pid');
  if (!fs.existsSync(pidFile)) return;
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);
  const runs = (): boolean => commandOf(pid).includes(dataFolder);
  if (!Number.isInteger(pid) || pid <= 1 || !runs()) {
    fs.rmSync(pidFile, { force: true });
    return;
  }
  print('Stopping the database server of a killed run.');
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    process.kill(pid, signal);
    for (const until = Date.now() + timeoutMs; Date.now() < until;) {
      if (!runs()) return;
      await pause(50);
    }
  }
  throw new EmbeddedPostgresError(`The database server of a former run (process ${pid}) does not stop; end it and start again.`);
}

/**
 * A cluster outside DATA_DIR survives the deletion of DATA_DIR, but the media of its rows do not: a DATA_DIR without a note of a cluster
 * gets an empty one. The old cluster is kept beside it.
 */
function moveAside(dataFolder: string, print: (text: string) => void): void {
  if (!fs.existsSync(dataFolder)) return;
  const before = `${dataFolder}.before`;
  fs.rmSync(before, { recursive: true, force: true });
  fs.renameSync(dataFolder, before);
  print(`The database of an earlier DATA_DIR of this name was moved to ${before}.`);
}

/** Whether a cluster exists. Throws for one of another major version, which this server cannot read. */
function isOfMajor(dataFolder: string, major: string): boolean {
  const file = path.join(dataFolder, 'PG_VERSION');
  if (!fs.existsSync(file)) return false;
  const found = fs.readFileSync(file, 'utf8').trim();
  if (found === major) return true;
  throw new EmbeddedPostgresError(
    `The database in ${dataFolder} was made by PostgreSQL ${found || '(unknown)'} and this is ${major}: move it with pg_dump of that version, or start with another DATA_DIR.`,
  );
}

/**
 * Sets a new password for a cluster whose password file is missing, so that its data is not lost. False for a cluster whose creation was
 * interrupted before it contained the database.
 */
function renewPassword(binaries: PostgresBinaries, dataFolder: string, passwordFile: string, owner: Owner | null): boolean {
  const settings = path.join(dataFolder, 'postgresql.conf');
  if (!fs.existsSync(settings) || !fs.readFileSync(settings, 'utf8').endsWith(SETTINGS)) return false;
  const password = newPassword();
  try {
    run(binaries.postgres, owner, ['--single', '-D', dataFolder, DATABASE], `ALTER ROLE ${USER} PASSWORD '${password}'\n`);
  } catch (error) {
    // eslint-disable-next-line no-restricted-syntax -- the single-user mode of postgres reports errors as text only
    if ((error as Error).message.includes(`database "${DATABASE}" does not exist`)) return false;
    throw error;
  }
  writePassword(passwordFile, password);
  return true;
}

const newPassword = (): string => randomBytes(18).toString('base64url');

function writePassword(file: string, password: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${password}\n`, { mode: 0o600 });
}

function createCluster(binaries: PostgresBinaries, dataFolder: string, passwordFile: string, owner: Owner | null, durable: boolean): void {
  fs.rmSync(dataFolder, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(dataFolder), { recursive: true, mode: 0o755 });
  fs.mkdirSync(dataFolder, { mode: 0o700 });
  const password = newPassword();
  // initdb reads the password as the server's account, which may not enter DATA_DIR
  const initialPassword = path.join(dataFolder, '../postgres-password.new');
  fs.writeFileSync(initialPassword, `${password}\n`, { mode: 0o600 });
  if (owner !== null) for (const file of [dataFolder, initialPassword]) fs.chownSync(file, owner.uid, owner.gid);
  try {
    run(binaries.initdb, owner, [
      `--pgdata=${dataFolder}`,
      `--username=${USER}`,
      `--pwfile=${initialPassword}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    fs.rmSync(initialPassword, { force: true });
  }
  fs.appendFileSync(path.join(dataFolder, 'postgresql.conf'), SETTINGS);
  run(binaries.postgres, owner, ['--single', '-D', dataFolder, 'postgres'], `CREATE DATABASE ${DATABASE}\n`);
  writePassword(passwordFile, password);
}

/** One machine and few services: little memory, full durability (fsync stays on). */
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
    throw new EmbeddedPostgresError(
      `${path.basename(program)} failed: ${done.stderr?.trim() || done.error?.message || `code ${done.status}`}`,
    );
  }
}

/** The launcher's environment contains secrets, so the server gets its own; Windows programs do not start without SystemRoot. */
function serverEnvironment(): Record<string, string | undefined> {
  return {
    LC_ALL: 'C',
    LC_MESSAGES: 'C',
    TZ: 'UTC',
    PATH: '/usr/bin:/bin',
    ...(process.platform === 'win32' ? { SystemRoot: 'C:\\Windows' } : {}),
  };
}

/** The command line of a running process; empty for one that has ended. */
function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}
