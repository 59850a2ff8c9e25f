import fs from 'node:fs';
import { parseEnv } from 'node:util';
import { inRoot } from './paths.mjs';

/** Reads `.env` of the workspace, or the file that `DOTENV_PATH` names; nothing where there is none. */
export function readDotEnv(env) {
  const file = env.DOTENV_PATH ?? inRoot('.env');
  return fs.existsSync(file) ? parseEnv(fs.readFileSync(file, 'utf8')) : {};
}
