import path from 'node:path';
import { SERVICES, type Service } from '@autoposter/config';
import { CommandError } from '../../prepare/command-line.mjs';

/** `demo`: against the simulators. `dev`: the demo with hot reload and debugger ports. `start`: against the real systems. */
export type Mode = 'demo' | 'dev' | 'start';
export type Environment = Record<string, string | undefined>;

/** What a command hands to the launcher once packages and programs are installed. */
export interface LaunchRequest {
  mode: Mode;
  argv: string[];
  env: Environment;
  root: string;
  print: (text: string) => void;
}

export interface LaunchOptions {
  mode: Mode;
  root: string;
  dataDir: string;
  reset: boolean;
  /** The requested port, `null` for the default. */
  port: number | null;
  /** The services to start: all of them unless `npm run dev -- NAME …` names some. */
  services: readonly Service[];
  /** Whether the console is served: always, unless `npm run dev -- NAME …` names services only. */
  console: boolean;
}

const FLAGS: Record<Mode, readonly string[]> = {
  demo: ['--reset', '--yes', '--memory'],
  dev: ['--reset', '--yes'],
  start: ['--yes'],
};
export const DEFAULT_PORT = 3000;
const PROGRAMS = [...SERVICES, 'console'];

export function readOptions({ mode, argv, env, root }: LaunchRequest): LaunchOptions {
  const programs = mode === 'dev' ? argv.filter((word) => PROGRAMS.includes(word)) : [];
  const unknown = argv.filter((word) => !FLAGS[mode].includes(word) && !programs.includes(word));
  if (unknown.length > 0) {
    const known = [...FLAGS[mode], ...(mode === 'dev' ? PROGRAMS : [])];
    throw new CommandError(`Unknown option ${unknown.join(' ')}; known are ${known.join(' ')}.`, 2);
  }
  const reset = argv.includes('--reset');
  if (reset && env.DATABASE_URL) {
    throw new CommandError('--reset does not empty the database of DATABASE_URL: empty it yourself, or start without that variable.', 2);
  }
  return {
    mode,
    root,
    dataDir: dataDirOf(mode, env, root),
    reset,
    // checked together with all other variables
    port: env.PORT?.trim() ? Number(env.PORT) : null,
    services: programs.length === 0 ? SERVICES : SERVICES.filter((name) => programs.includes(name)),
    console: programs.length === 0 || programs.includes('console'),
  };
}

const FOLDER: Record<Mode, string> = { demo: 'demo', dev: 'dev', start: 'live' };

/** The folder that holds everything of a mode; simulated and real data never share one by default. */
export const dataDirOf = (mode: Mode, env: Environment, root: string): string =>
  path.resolve(root, env.DATA_DIR || path.join('.autoposter', FOLDER[mode]));
