import { createRequire } from 'node:module';
import { bundleApart, hasEntry } from '../bundle.mjs';
import { readDotEnv } from './dot-env.mjs';
import { ensureProgram } from './install-programs.mjs';
import { ensurePackages } from './packages.mjs';
import { ROOT } from './paths.mjs';
import { findMediaTools } from './programs.mjs';
import { PlainStop, say } from './terminal.mjs';

/** Migrates and seeds, and then goes, with all the memory that it needed. */
const FILL_DATABASE = 'tools/local/src/fill-database.ts';

export const SERVICES = ['gateway', 'downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'];

/** Brings the machine to where the launcher can start, then hands over to it. Resolves with the exit code when everything has stopped. */
export async function runProduct(mode, argv, processEnv) {
  const env = mode === 'start' ? { ...readDotEnv(processEnv), ...processEnv } : { ...processEnv };
  if (mode === 'demo' && argv.includes('--memory')) return (await loadLauncher(env)).printMemory({ mode, env, root: ROOT });
  // packages first: they need no rights, and what is wrong with the request is told before anything is installed on the machine
  const launcher = await loadLauncher(env);
  launcher.checkRequest({ mode, argv, env, root: ROOT, say });
  const tools = await ensureProgram('ffmpeg', findMediaTools, { argv, env });
  const places = [...SERVICES.map((name) => `apps/${name}`), ...(mode === 'demo' ? ['tools/simulators'] : [])];
  const missing = places.filter((place) => !hasEntry(place));
  if (missing.length > 0) throw new PlainStop(`This checkout is incomplete: ${missing.join(', ')} without src/main.ts.`);
  bundleApart(places);
  return launcher.launch({ mode, argv, env: { ...env, FFMPEG_PATH: tools.ffmpeg, FFPROBE_PATH: tools.ffprobe }, root: ROOT, say });
}

/** The part of the launcher that is written in TypeScript and uses our libraries. */
export async function loadLauncher(env) {
  await ensurePackages(env);
  const [file] = bundleApart(['tools/local', FILL_DATABASE]);
  return createRequire(import.meta.url)(file);
}
