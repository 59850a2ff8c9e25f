import path from 'node:path';
import { PlainStop } from '../plain-stop';

export type Mode = 'demo' | 'start';
export type Environment = Record<string, string | undefined>;

/** What the entry hands over once the machine has what is needed. */
export interface LaunchRequest {
  mode: Mode;
  argv: string[];
  env: Environment;
  root: string;
  say: (text: string) => void;
}

export interface LaunchOptions {
  mode: Mode;
  root: string;
  dataDir: string;
  reset: boolean;
  /** The port that was asked for, `null` where none was. */
  port: number | null;
}

const KNOWN: Record<Mode, readonly string[]> = { demo: ['--reset', '--yes', '--memory'], start: ['--yes'] };
export const DEFAULT_PORT = 3000;

export function readOptions({ mode, argv, env, root }: LaunchRequest): LaunchOptions {
  const unknown = argv.filter((word) => !KNOWN[mode].includes(word));
  if (unknown.length > 0) throw new PlainStop(`Unknown option ${unknown.join(' ')}; known are ${KNOWN[mode].join(' ')}.`, 2);
  const reset = argv.includes('--reset');
  if (reset && env.DATABASE_URL) {
    throw new PlainStop('--reset does not empty the database of DATABASE_URL: empty it yourself, or start without that variable.', 2);
  }
  return { mode, root, dataDir: dataDirOf(mode, env, root), reset, port: readPort(env.PORT) };
}

/** The folder that holds everything a run keeps; the demo and real data never share one by default. */
export const dataDirOf = (mode: Mode, env: Environment, root: string): string =>
  path.resolve(root, env.DATA_DIR || path.join('.autoposter', mode === 'demo' ? 'demo' : 'live'));

function readPort(text: string | undefined): number | null {
  if (!text) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new PlainStop(`PORT is ${text}; it must be a number from 1 to 65535.`, 2);
  return port;
}
