import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the workspace, whatever the current folder is. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const inRoot = (...parts) => path.join(ROOT, ...parts);
