import { migrate, withDatabase } from './database';
import { seedDemo } from './demo/seed';

/**
 * A program of its own: `node fill-database.cjs [--seed]` with the address of the database on standard input, where nobody can read it
 * from the list of processes. Prints what was applied as JSON.
 */
async function main(): Promise<void> {
  const url = await readInput();
  const applied = await withDatabase(url, async (database) => {
    const names = await migrate(database);
    if (process.argv.includes('--seed')) await seedDemo(database);
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
