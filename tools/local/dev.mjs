import { runCommand } from './prepare/command-line.mjs';
import { checkNode } from './prepare/node-version.mjs';

await runCommand(async () => {
  checkNode();
  const { runProduct } = await import('./prepare/run-product.mjs');
  return runProduct('dev', process.argv.slice(2), process.env);
});
