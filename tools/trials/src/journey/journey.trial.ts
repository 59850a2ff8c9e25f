import { rmSync } from 'node:fs';
import { readProcessSettings } from '@autoposter/config';
import { noEngineReason, SimulatorControl, temporaryFolder } from '@autoposter/testkit';
import { SignedInAdmin } from '../product/signed-in-admin';
import { progress, type TrialArguments, type TrialResult } from '../trial';
import { AdminJourney } from './admin-journey';
import { type Deployment, DEPLOYMENTS, COMPOSE } from './deployments';

/** Processes posts through the API of the running product, for each deployment. */
export async function journey({ n, full }: TrialArguments): Promise<TrialResult> {
  const failures: string[] = [];
  const skipped: string[] = [];
  const seconds: Record<string, number> = {};
  let posts = 0;
  const noEngine = noEngineReason();
  const deployments = [...(full ? [COMPOSE] : []), ...DEPLOYMENTS].slice(0, n ?? undefined);
  for (const deployment of deployments) {
    if (deployment.needsContainers && noEngine !== null) {
      progress(`skipped: ${deployment.name} (${noEngine})`);
      skipped.push(deployment.name);
      // A missing container engine skips a deployment on a developer's machine and fails CI.
      if (readProcessSettings().ci) failures.push(`${deployment.name}: ${noEngine}`);
      continue;
    }
    progress(`${deployment.name}:`);
    const startedAt = performance.now();
    try {
      posts += await runJourney(deployment);
      seconds[deployment.name] = Math.round((performance.now() - startedAt) / 1000);
    } catch (error) {
      failures.push(`${deployment.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { n: posts, failures, facts: { green: Object.keys(seconds), secondsEach: seconds, ...(skipped.length > 0 ? { skipped } : {}) } };
}

async function runJourney(deployment: Deployment): Promise<number> {
  const folder = temporaryFolder('trial-journey');
  try {
    const product = await deployment.start(folder);
    progress(`   ready at ${product.gateway}`);
    let posts = 0;
    try {
      const admin = await SignedInAdmin.signIn(product);
      progress('   signed in through Google');
      posts = await new AdminJourney(admin, new SimulatorControl(product.control), String(Date.now()).slice(-6)).run();
    } catch (error) {
      await product.stop().catch(() => undefined);
      throw error;
    }
    await product.stop();
    return posts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
