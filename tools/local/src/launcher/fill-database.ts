import { spawn } from 'node:child_process';
import path from 'node:path';
import { PlainStop } from '../plain-stop';

/** Brings the schema to this version and, where asked, puts the first content in; answers the names of what was applied. */
export function fillDatabase(options: {
  root: string;
  url: string;
  seed: boolean;
  /** The database is somebody's and not the launcher's own. */
  given: boolean;
  stopped: AbortSignal;
}): Promise<string[]> {
  const flags = [...(options.seed ? ['--seed'] : []), ...(options.given ? ['--given'] : [])];
  const args = [path.join(options.root, 'dist/tools/local/fill-database.cjs'), ...flags];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', ...args], {
      cwd: options.root,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: options.stopped,
    });
    let said = '';
    let complained = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(said) as string[]);
      else reject(new PlainStop(complained.trim() || `The database could not be brought up to date (code ${code}).`));
    });
    child.stdin.end(options.url);
  });
}
