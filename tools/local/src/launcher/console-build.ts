import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PlainStop } from '../plain-stop';

/** What the built console depends on, from the root of the workspace. */
const SOURCES = ['apps/console', 'libs/contracts/src', 'libs/domain/src', 'package-lock.json', 'tsconfig.base.json'];

/** Builds the console's files unless the ones in `dist` come from the very same sources. Returns their folder. */
export async function buildConsole(root: string, say: (text: string) => void, stopped: AbortSignal): Promise<string> {
  const folder = path.join(root, 'dist/apps/console');
  const stamp = path.join(root, 'dist/apps/console.sources');
  const hash = hashOf(SOURCES.map((place) => path.join(root, place)));
  if (fs.existsSync(path.join(folder, 'index.html')) && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hash) return folder;
  say('Building the console.');
  await runVite(root, folder, stopped);
  fs.writeFileSync(stamp, hash);
  return folder;
}

function runVite(root: string, folder: string, signal: AbortSignal): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: path.join(root, 'apps/console'), stdio: ['ignore', 'pipe', 'pipe'], signal });
    let words = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (words += chunk));
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new PlainStop(`The console could not be built:\n${words.trim()}`))));
  });
}

/** One hash over the names and contents of all files in these places. */
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
