import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from '../../prepare/command-line.mjs';
import type { Environment } from './options';

/** The inputs of the console's build, from the root of the workspace. */
const SOURCES = ['apps/console', 'libs/contracts/src', 'libs/domain/src', 'package-lock.json', 'tsconfig.base.json'];
/** Builds that were not used for this long are removed. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Builds the console unless a build of the same sources exists. The folder of a build is named after the hash of its sources, so that a
 * running product keeps its files while another one builds.
 */
export async function buildConsole(root: string, env: Environment, print: (text: string) => void, stopped: AbortSignal): Promise<string> {
  const builds = path.join(root, 'dist/console');
  const folder = path.join(builds, hashOf(SOURCES.map((place) => path.join(root, place))).slice(0, 16));
  if (!fs.existsSync(path.join(folder, 'index.html'))) {
    print('Building the console.');
    const draft = `${folder}.${process.pid}`;
    await runVite(root, draft, env, stopped);
    if (fs.existsSync(folder)) fs.rmSync(draft, { recursive: true });
    else fs.renameSync(draft, folder);
  }
  fs.utimesSync(folder, new Date(), new Date());
  removeOld(builds);
  return folder;
}

function removeOld(builds: string): void {
  for (const name of fs.readdirSync(builds)) {
    const build = path.join(builds, name);
    if (Date.now() - fs.statSync(build).mtimeMs > KEPT_MS) fs.rmSync(build, { recursive: true, force: true });
  }
}

function runVite(root: string, folder: string, env: Environment, signal: AbortSignal): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: path.join(root, 'apps/console'),
      // a caller in development or test mode gets a production build too
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new CommandError(`The console could not be built:\n${output.trim()}`))));
  });
}

/** One hash over the names and contents of all files below these places. */
export function hashOf(places: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (place: string): void => {
    if (fs.statSync(place).isDirectory()) {
      for (const name of fs.readdirSync(place).sort()) if (name !== 'node_modules') add(path.join(place, name));
      return;
    }
    hash.update(`${place}\0`).update(fs.readFileSync(place));
  };
  for (const place of places) if (fs.existsSync(place)) add(place);
  return hash.digest('hex');
}
