import fs from 'node:fs';
import { createRequire } from 'node:module';
import { parseEnv } from 'node:util';
import { bundleInChildProcess, hasEntry } from '../bundle.mjs';
import { CommandError, print } from './command-line.mjs';
import { ensureProgram } from './install-programs.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot, ROOT } from './paths.mjs';
import { findMediaTools } from './programs.mjs';

/** Migrates and seeds the database in a process of its own, so that its memory is released. */
const FILL_DATABASE = 'tools/local/src/seed/fill-database.ts';

const SERVICES = ['gateway', 'downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'];

/**
 * Installs what the launcher needs, bundles the services and hands over to the launcher. Resolves with the exit code when every process
 * has ended.
 * @param {'demo' | 'dev' | 'start'} mode
 */
export async function runProduct(mode, argv, processEnv) {
  const env = mode === 'start' ? { ...readDotEnv(processEnv), ...processEnv } : { ...processEnv };
  if (mode === 'demo' && argv.includes('--memory')) return (await loadLauncher(env)).printMemory({ mode, env, root: ROOT });
  // packages first: they need no permission, and a wrong option is reported before anything is installed on the machine
  const launcher = await loadLauncher(env);
  launcher.checkRequest({ mode, argv, env, root: ROOT, print });
  const tools = await ensureProgram('ffmpeg', findMediaTools, { argv, env });
  const places = [...SERVICES.map((name) => `apps/${name}`), ...(mode === 'start' ? [] : ['tools/simulators'])];
  const missing = places.filter((place) => !hasEntry(place));
  if (missing.length > 0) throw new CommandError(`This checkout is incomplete: ${missing.join(', ')} without src/main.ts.`);
  bundleInChildProcess(places);
  return launcher.launch({ mode, argv, env: { ...env, FFMPEG_PATH: tools.ffmpeg, FFPROBE_PATH: tools.ffprobe }, root: ROOT, print });
}

/** The TypeScript part of the launcher, which uses the libraries of the workspace. */
export async function loadLauncher(env) {
  await ensurePackages(env);
  const [file] = bundleInChildProcess(['tools/local', FILL_DATABASE]);
  return createRequire(import.meta.url)(file);
}

/** Reads `.env` of the workspace, or the file of `DOTENV_PATH`; empty where it does not exist. */
export function readDotEnv(env) {
  const file = env.DOTENV_PATH ?? inRoot('.env');
  if (!fs.existsSync(file)) return {};
  try {
    return parseEnv(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    // an error of reading names a descriptor, not the file
    throw Object.assign(error, { path: file });
  }
}
