import { runCommand } from './prepare/command-line.mjs';
import { checkNode } from './prepare/node-version.mjs';

await runCommand(async () => {
  checkNode();
  const { runTests } = await import('./prepare/run-tests.mjs');
  return runTests(process.argv.slice(2), process.env);
});
