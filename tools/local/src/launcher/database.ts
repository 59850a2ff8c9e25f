import { spawn } from 'node:child_process';
import path from 'node:path';
import type { PreparedPostgres } from '@autoposter/embedded-postgres';
import { CommandError } from '../../prepare/command-line.mjs';
import type { ProcessSpec } from '../processes/supervised-process';
import { dataDirOf, type Environment } from './options';
import { readState } from './run-state';

/** The server as a process of the launcher. */
export const databaseProcess = ({ server }: PreparedPostgres): Omit<ProcessSpec, 'logFolder'> => ({
  name: 'postgres',
  ...server,
  stopSignal: 'SIGINT',
  graceMs: 15_000,
  exitsWithLauncher: false,
});

/** Migrates the schema and, with `seed`, inserts the initial content; resolves with the names of the applied migrations. */
export function fillDatabase(options: {
  root: string;
  url: string;
  seed: boolean;
  /** False for a database that was configured with DATABASE_URL. */
  isOwn: boolean;
  stopped: AbortSignal;
}): Promise<string[]> {
  const flags = [...(options.seed ? ['--seed'] : []), ...(options.isOwn ? [] : ['--external'])];
  const args = [path.join(options.root, 'dist/tools/local/fill-database.cjs'), ...flags];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', ...args], {
      cwd: options.root,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: options.stopped,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output) as string[]);
      else reject(new CommandError(errors.trim() || `The database could not be migrated (code ${code}).`));
    });
    child.stdin.end(options.url);
  });
}

/** `npm run migrate`: migrates the database of `DATABASE_URL`, or else the database of a product that runs on this machine. */
export async function migrateCommand({ env, root }: { env: Environment; root: string }): Promise<number> {
  const running = (['start', 'demo', 'dev'] as const).map((mode) => readState(dataDirOf(mode, env, root))?.databaseUrl);
  const url = env.DATABASE_URL || running.find((found) => found !== undefined);
  if (!url) {
    throw new CommandError(
      'No database is configured or running. Set DATABASE_URL; each start migrates an embedded database automatically.',
    );
  }
  const applied = await fillDatabase({ root, url, seed: false, isOwn: false, stopped: new AbortController().signal });
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
  return 0;
}
