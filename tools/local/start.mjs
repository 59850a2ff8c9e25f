import { checkNode } from './prepare/node-version.mjs';
import { runEntry } from './prepare/terminal.mjs';

await runEntry(async () => {
  checkNode();
  const { runProduct } = await import('./prepare/run-product.mjs');
  return runProduct('start', process.argv.slice(2), process.env);
});
