import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { createDatabase, freePort, startEmbeddedPostgres } from '@autoposter/testkit';
import { SignedInAdmin } from './signed-in-admin';
import { Program } from './program';
import { startSimulators } from './simulated-world';

/** A gateway without workers, on a database to throw away, with the simulated Google to sign in at. */
export interface LoneGateway {
  address: string;
  program: Program;
  /** Each time a session of its own. */
  signIn(): Promise<SignedInAdmin>;
  stop(): Promise<void>;
}

export async function startLoneGateway(name: string, env: Record<string, string> = {}): Promise<LoneGateway> {
  const { path: PATH, temporaryFolder } = readProcessSettings();
  const folder = mkdtempSync(path.join(temporaryFolder, `autoposter-trial-${name}-`));
  const postgres = await startEmbeddedPostgres();
  const simulators = await startSimulators(folder);
  const port = String(await freePort());
  const address = `http://127.0.0.1:${port}`;
  const program = Program.start('apps/gateway', {
    env: {
      ...simulators.env,
      PATH,
      DATABASE_URL: await createDatabase(postgres, 'schema'),
      DATA_DIR: folder,
      PORT: port,
      PUBLIC_URL: address,
      JWT_SECRET: 'a-secret-of-a-trial-that-protects-nothing',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const stop = async (): Promise<void> => {
    await program.stop();
    await simulators.program.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(program, address);
  } catch (error) {
    await stop();
    throw error;
  }
  const google = new URL(simulators.env.GOOGLE_AUTHORIZATION_URL ?? address).origin;
  return { address, program, signIn: () => SignedInAdmin.signIn({ gateway: address, google }), stop };
}

async function answers(program: Program, address: string): Promise<void> {
  for (const until = Date.now() + 60_000; ;) {
    const up = await fetch(`${address}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    if (!program.isAlive || Date.now() > until) throw new Error(`the gateway did not come up:\n${program.words}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
