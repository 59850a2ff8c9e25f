import { migrate, withDatabase } from './database';
import { refuseForeign, seedDemo } from './demo/seed';

/**
 * A program of its own: `node fill-database.cjs [--seed] [--given]` with the address of the database on standard input, where nobody can
 * read it from the list of processes; `--given` where it is not the launcher's own. Prints what was applied as JSON.
 */
async function main(): Promise<void> {
  const url = await readInput();
  const applied = await withDatabase(url, async (database) => {
    const seeds = process.argv.includes('--seed');
    if (seeds && process.argv.includes('--given')) await refuseForeign(database);
    const names = await migrate(database);
    if (seeds) await seedDemo(database);
    return names;
  });
  process.stdout.write(`${JSON.stringify(applied)}\n`);
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text.trim();
}

main().catch((error: unknown) => {
  const known = error instanceof Error && error.name === 'PlainStop';
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
