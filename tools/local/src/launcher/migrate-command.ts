import { PlainStop } from '../plain-stop';
import { fillDatabase } from './fill-database';
import { dataDirOf, type Environment } from './options';
import { readState } from './run-state';

/** `npm run migrate`: the database of `DATABASE_URL`, else the one of a running product on this machine. */
export async function migrateCommand({ env, root }: { env: Environment; root: string }): Promise<number> {
  const running = (['start', 'demo'] as const).map((mode) => readState(dataDirOf(mode, env, root))?.databaseUrl);
  const url = env.DATABASE_URL || running.find((found) => found !== undefined);
  if (!url) {
    throw new PlainStop('Which database? Set DATABASE_URL; an embedded one is brought up to date at each start by itself.');
  }
  const applied = await fillDatabase({ root, url, seed: false, given: true, stopped: new AbortController().signal });
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
  return 0;
}
