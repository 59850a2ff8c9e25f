import fs from 'node:fs';
import path from 'node:path';
import { drainOnFatalError } from '@autoposter/config';
import { takeLock } from '../../prepare/single-run.mjs';
import { demoWorld } from '../demo/demo-world';
import { PlainStop } from '../plain-stop';
import { postgresFolder, stopLeftover } from '../postgres/embedded-postgres';
import { bringUp, type World } from './bring-up';
import { type LaunchOptions, type LaunchRequest, readOptions } from './options';
import { ProcessGroup } from './process-group';
import { endLeftovers, removeState, type RunState, runFolder, writeState } from './run-state';
import { realWorld } from '../start/real-world';
import { StopRequest } from './stop-request';

const WORLDS: Record<LaunchOptions['mode'], () => World> = { demo: demoWorld, start: realWorld };

/** Longest time that the processes get to stop after an error that no code of the launcher caught. */
const STOP_WITHIN_MS = 60_000;

/** Refuses what cannot be started, before anything is fetched or begun: a wrong option, all wrong variables at once. */
export function checkRequest(request: LaunchRequest): { options: LaunchOptions; world: World } {
  const options = readOptions(request);
  const world = WORLDS[options.mode]();
  world.check(request.env);
  return { options, world };
}

/** Runs the product until it is asked to stop. Resolves with the exit code when no process is left. */
export async function launch(request: LaunchRequest): Promise<number> {
  const { options, world } = checkRequest(request);
  const release = takeRunLock(options);
  let state: RunState | null = null;
  const record = (change: Partial<RunState> = {}): void => {
    if (state === null) return;
    state = { ...state, ...change, processes: group.identities() };
    writeState(options.dataDir, state);
  };
  const group = new ProcessGroup(options.dataDir, request.say, () => record());
  const stop = new StopRequest(() => group.kill());
  let fatal = false;
  const removeFatalHandlers = drainOnFatalError({
    logger: { error: (facts, message) => request.say(`${message}: ${reasonOf(facts)}`) },
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
    await clearFormerRun(options, request.say);
    const begin = (begun: Omit<RunState, 'mode' | 'pid' | 'startedAt' | 'readyAt' | 'processes'>): void => {
      state = {
        ...begun,
        mode: options.mode,
        pid: process.pid,
        startedAt: state?.startedAt ?? new Date().toISOString(),
        readyAt: null,
        processes: [],
      };
      record();
    };
    const ready = (): void => record({ readyAt: new Date().toISOString() });
    if (await stop.unlessStopped(bringUp({ request, options, group, world, stopped: stop.signal, begin, ready }))) await stop.requested;
    request.say('Stopping.');
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

function takeRunLock({ dataDir, mode }: LaunchOptions): () => void {
  const lock = takeLock(path.join(runFolder(dataDir), 'lock'));
  if (typeof lock === 'function') return lock;
  const command = mode === 'demo' ? 'The demo' : 'The product';
  throw new PlainStop(
    `${command} is already running from ${dataDir} as process ${lock.pid}: stop it there with Ctrl-C, or name another folder in DATA_DIR and another PORT.`,
  );
}

async function clearFormerRun({ dataDir, reset }: LaunchOptions, say: (text: string) => void): Promise<void> {
  const ended = await endLeftovers(dataDir);
  if (ended > 0) say(`Ended ${ended} ${ended === 1 ? 'process' : 'processes'} of a former run that was killed.`);
  removeState(dataDir);
  // before ports are chosen, so that the new server gets the old one's
  const database = postgresFolder(dataDir);
  await stopLeftover(database, say);
  if (!reset) return;
  fs.rmSync(database, { recursive: true, force: true });
  for (const name of fs.readdirSync(dataDir)) if (name !== 'run') fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  for (const name of fs.readdirSync(runFolder(dataDir))) {
    if (name !== 'lock') fs.rmSync(path.join(runFolder(dataDir), name), { recursive: true, force: true });
  }
  say('Everything of former runs was removed.');
}
