import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { ROOT, tell } from '../trial';

const VERSION = '4.32.5';
const HOME = path.join(ROOT, '.autoposter', 'tools', `schemathesis-${VERSION}`);
const PROGRAM = path.join(HOME, 'bin', 'schemathesis');
/** Ends a session, or never ends: nothing is found out by repeating it. */
const LEFT_OUT = ['/api/auth/logout', '/api/events'];
const CHECKS = ['not_a_server_error', 'content_type_conformance', 'response_schema_conformance'];

/** A sentence that says why the fuzzer is not there and cannot be fetched; `null` when it is there. */
export function fetchFuzzer(): string | null {
  if (fs.existsSync(PROGRAM)) return null;
  tell(`fetches schemathesis ${VERSION} from PyPI into ${path.relative(ROOT, HOME)}`);
  const { environment } = readProcessSettings();
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', HOME]],
    [path.join(HOME, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]],
  ];
  for (const [program, args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: environment, timeout: 300_000 });
    if (status === 0) continue;
    fs.rmSync(HOME, { recursive: true, force: true });
    const last = (error?.message ?? stderr).trim().split('\n').pop() ?? '';
    return `schemathesis cannot be fetched: ${path.basename(program)} ${args.slice(0, 3).join(' ')} says "${last}"`;
  }
  return null;
}

export interface Round {
  /** Where the API answers. */
  address: string;
  token: string;
  seed: number;
  /** Requests per call of the API, about. */
  perCall: number;
}

/** Runs the fuzzer over all calls once; resolves with what it wrote, which names each failure of a check. */
export function fuzz({ address, token, seed, perCall }: Round): Promise<string> {
  const args = [
    ...['run', `${address}/api/docs-json`, '--url', address, '--header', `Authorization: Bearer ${token}`],
    ...['--seed', String(seed), '--max-examples', String(perCall), '--phases', 'coverage,fuzzing', '--checks', CHECKS.join(',')],
    ...LEFT_OUT.flatMap((one) => ['--exclude-path', one]),
    // The product's answers are judged one by one, and no failure is worth the time of making it smaller.
    ...[
      '--no-shrink',
      '--continue-on-failure',
      '--request-timeout',
      '15',
      '--suppress-health-check',
      'all',
      '--no-color',
      '--warnings',
      'off',
    ],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: HOME });
    let text = '';
    const listen = (chunk: Buffer): void => void (text += chunk.toString());
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('error', reject);
    child.on('exit', () => resolve(text));
  });
}
