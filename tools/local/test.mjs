import { checkNode } from './prepare/node-version.mjs';
import { runEntry } from './prepare/terminal.mjs';

await runEntry(async () => {
  checkNode();
  const { runTests } = await import('./prepare/run-tests.mjs');
  return runTests(process.argv.slice(2), process.env);
});
