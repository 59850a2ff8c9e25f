import { rmSync } from 'node:fs';
import { createDatabase, freePort, pollUntil, startEmbeddedPostgres, temporaryFolder } from '@autoposter/testkit';
import { productEnvironment, Program, startSimulators } from './program';
import { SignedInAdmin } from './signed-in-admin';

/** A gateway without workers and request limits, with a temporary database and simulators for the sign-in. */
export interface LoneGateway {
  address: string;
  program: Program;
  /** Opens a new session. */
  signIn(): Promise<SignedInAdmin>;
  stop(): Promise<void>;
}

export async function startLoneGateway(name: string): Promise<LoneGateway> {
  const folder = temporaryFolder(`trial-${name}`);
  const postgres = await startEmbeddedPostgres();
  const simulators = await startSimulators(folder);
  const product = productEnvironment(simulators, await createDatabase(postgres, 'schema'), folder, await freePort());
  const address = product.PUBLIC_URL;
  const program = Program.start('apps/gateway', { env: { ...product, LOG_LEVEL: 'warn', RATE_LIMITS: 'false' } });
  const stop = async (): Promise<void> => {
    await program.stop();
    await simulators.program.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitForGateway(program, address);
  } catch (error) {
    await stop();
    throw error;
  }
  const google = new URL(simulators.env.GOOGLE_AUTHORIZATION_URL ?? address).origin;
  return { address, program, signIn: () => SignedInAdmin.signIn({ gateway: address, google }), stop };
}

async function waitForGateway(program: Program, address: string): Promise<void> {
  const isHealthy = async (): Promise<boolean> => !program.isAlive || (await fetch(`${address}/api/health`)).ok;
  await pollUntil(isHealthy, 60_000).catch(() => undefined);
  if (!program.isAlive || !(await isHealthy())) throw new Error(`the gateway did not start:\n${program.output}`);
}
