import { initialQueueSettings, SETTING, type QueueSettings } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { createDatabase, type PostgresServer } from '@autoposter/testkit';
import { Program, type RunningSimulators, startSimulators } from './program';

export const LEASE_SECONDS = 2;

/** Intervals and waits that take minutes in production. */
export const SHORT_WAITS = {
  STAGE_LEASE_SECONDS: String(LEASE_SECONDS),
  STAGE_RETRY_SECONDS: '1',
  CONTAINER_POLL_SECONDS: '1',
  CLOCK_SECONDS: '1',
  DRAIN_SECONDS: '2',
  RECONCILE_LOOKS_SECONDS: '1,2,3,4,5,6,8,10,15,20,30,40,60',
};
export const PLENTY = 1_000_000;

/** A queue that runs and keeps no interval. */
export const FAST_QUEUE: QueueSettings = {
  ...initialQueueSettings('UTC'),
  running: true,
  intervalMinutes: 0,
  randomization: { enabled: false, maxDelayMinutes: 0 },
};

/** A database with a fast queue, and simulators whose Instagram processes media immediately and has a practically unlimited quota. */
export async function startSystems(
  postgres: PostgresServer,
  folder: string,
): Promise<{ url: string; database: Database; simulators: RunningSimulators }> {
  const url = await createDatabase(postgres, 'schema');
  const database = await Database.connect({ url, poolSize: 3, applicationName: 'trial' });
  const simulators = await startSimulators(folder);
  await simulators.control.changeSettings({
    instagram: { imageProcessingMs: 0, videoProcessingMs: 0, publishQuota: PLENTY, containersPerDay: PLENTY, callsPerDay: PLENTY },
  });
  await database.unitOfWork((uow) => uow.settings.set(SETTING.queue, FAST_QUEUE, 'trial'));
  return { url, database, simulators };
}

/**
 * Starts a service of the workspace, or of the copy at `root`; resolves when it is ready. With `fault` the service kills itself at that boundary.
 */
export async function launchService(service: string, env: Record<string, string>, fault: string | null, root?: string): Promise<Program> {
  const options = { env: fault === null ? env : { ...env, AUTOPOSTER_FAULT: fault } };
  const program = Program.start(`apps/${service}`, root === undefined ? options : { ...options, root });
  await program.waitForOutput(service === 'gateway' ? /the gateway listens/u : /ready for work/u);
  return program;
}
