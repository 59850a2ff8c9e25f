import fs from 'node:fs';
import path from 'node:path';
import { drainOnFatalError } from '@autoposter/config';
import { postgresFolder, stopLeftover } from '@autoposter/embedded-postgres';
import { CommandError } from '../../prepare/command-line.mjs';
import { takeLock } from '../../prepare/lock-file.mjs';
import { ProcessGroup } from '../processes/process-group';
import { demoProfile, developmentProfile } from '../profiles/demo.profile';
import { realProfile } from '../profiles/real.profile';
import { bringUp, type LaunchProfile } from './bring-up';
import { type LaunchOptions, type LaunchRequest, type Mode, readOptions } from './options';
import { endLeftovers, removeState, type RunState, runFolder, writeState } from './run-state';

const PROFILES: Record<Mode, () => LaunchProfile> = { demo: demoProfile, dev: developmentProfile, start: realProfile };

/** Longest time in which the processes stop after an uncaught error of the launcher. */
const STOP_WITHIN_MS = 60_000;

/** Refuses a wrong option and all wrong variables together, before anything is installed or started. */
export function checkRequest(request: LaunchRequest): { options: LaunchOptions; profile: LaunchProfile } {
  const options = readOptions(request);
  const profile = PROFILES[options.mode]();
  profile.check(request.env);
  return { options, profile };
}

/** Runs the product until a signal stops it. Resolves with the exit code when no process is left. */
export async function launch(request: LaunchRequest): Promise<number> {
  const { options, profile } = checkRequest(request);
  const release = takeRunLock(options);
  let state: RunState | null = null;
  const record = (change: Partial<RunState> = {}): void => {
    if (state === null) return;
    state = { ...state, ...change, processes: group.identities() };
    writeState(options.dataDir, state);
  };
  const group = new ProcessGroup(options.dataDir, request.print, () => record());
  const stop = new StopRequest(() => group.kill());
  let fatal = false;
  const removeFatalHandlers = drainOnFatalError({
    logger: { error: (facts, message) => request.print(`${message}: ${reasonOf(facts)}`) },
    drain: () => {
      fatal = true;
      stop.stop();
      return ended;
    },
    withinMs: STOP_WITHIN_MS,
  });
  let markEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => (markEnded = resolve));
  try {
    await cleanUpFormerRun(options, request.print);
    const recordStart = (begun: Omit<RunState, 'mode' | 'pid' | 'startedAt' | 'readyAt' | 'processes'>): void => {
      const startedAt = state?.startedAt ?? new Date().toISOString();
      state = { ...begun, mode: options.mode, pid: process.pid, startedAt, readyAt: null, processes: [] };
      record();
    };
    const recordReady = (): void => record({ readyAt: new Date().toISOString() });
    const start = bringUp({ request, options, group, profile, stopped: stop.signal, recordStart, recordReady });
    if (await stop.unlessStopped(start)) await stop.requested;
    request.print('Stopping.');
    return fatal ? 1 : 0;
  } finally {
    await group.stop();
    state = null;
    removeState(options.dataDir);
    stop.dispose();
    release();
    removeFatalHandlers();
    markEnded();
  }
}

const reasonOf = (facts: object): string => {
  const { error } = facts as { error?: unknown };
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const CALLED: Record<Mode, string> = { demo: 'The demo', dev: 'The development environment', start: 'The product' };

function takeRunLock({ dataDir, mode }: LaunchOptions): () => void {
  const lock = takeLock(path.join(runFolder(dataDir), 'lock'));
  if (typeof lock === 'function') return lock;
  throw new CommandError(
    `${CALLED[mode]} is already running from ${dataDir} as process ${lock.pid}: stop it there with Ctrl-C, or name another folder in DATA_DIR and another PORT.`,
  );
}

async function cleanUpFormerRun({ dataDir, reset }: LaunchOptions, print: (text: string) => void): Promise<void> {
  const ended = await endLeftovers(dataDir);
  if (ended > 0) print(`Ended ${ended} ${ended === 1 ? 'process' : 'processes'} of a killed run.`);
  removeState(dataDir);
  // before ports are chosen, so that the new server gets the port of the old one
  const database = postgresFolder(dataDir);
  await stopLeftover(database, print);
  if (!reset) return;
  fs.rmSync(database, { recursive: true, force: true });
  for (const name of fs.readdirSync(dataDir)) if (name !== 'run') fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  for (const name of fs.readdirSync(runFolder(dataDir))) {
    if (name !== 'lock') fs.rmSync(path.join(runFolder(dataDir), name), { recursive: true, force: true });
  }
  print('All data of former runs was removed.');
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns Ctrl-C, a closed terminal and `kill` into one stop request; a second one calls `onSecond`. */
class StopRequest {
  private readonly controller = new AbortController();
  private readonly listener = (): void => {
    if (this.signal.aborted) this.onSecond();
    else this.controller.abort();
  };
  readonly requested: Promise<void>;

  constructor(private readonly onSecond: () => void) {
    for (const name of SIGNALS) process.on(name, this.listener);
    this.requested = new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Waits for the work or the stop request, whichever comes first; false for the stop request. */
  async unlessStopped(work: Promise<void>): Promise<boolean> {
    const outcome = work.then(
      () => true,
      (error) => {
        // the request itself makes unfinished work fail
        if (this.signal.aborted) return false;
        throw error;
      },
    );
    return Promise.race([outcome, this.requested.then(() => false)]);
  }

  stop(): void {
    this.controller.abort();
  }

  dispose(): void {
    for (const name of SIGNALS) process.off(name, this.listener);
  }
}
