import fs from 'node:fs';
import { parseEnv } from 'node:util';
import { inRoot } from './paths.mjs';

/** Reads `.env` of the workspace, or the file that `DOTENV_PATH` names; nothing where there is none. */
export function readDotEnv(env) {
  const file = env.DOTENV_PATH ?? inRoot('.env');
  if (!fs.existsSync(file)) return {};
  try {
    return parseEnv(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    // reading tells of a descriptor and not of a name
    throw Object.assign(error, { path: file });
  }
}
