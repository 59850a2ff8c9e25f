import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { noEngineReason } from '@autoposter/testkit';
import { SignedInAdmin } from '../product/signed-in-admin';
import { SimulatedWorld } from '../product/simulated-world';
import { tell, type TrialArguments, type TrialResult } from '../trial';
import { COLUMNS, COMPOSE, type Column } from './columns';
import { Travel } from './travel';

/** The whole way of a post through the running product over its API, once for each way to run it. */
export async function journey({ n, full }: TrialArguments): Promise<TrialResult> {
  const failures: string[] = [];
  const skipped: string[] = [];
  const seconds: Record<string, number> = {};
  let posts = 0;
  const noEngine = noEngineReason();
  const columns = [...(full ? [COMPOSE] : []), ...COLUMNS].slice(0, n ?? undefined);
  for (const column of columns) {
    if (column.needsEngine && noEngine !== null) {
      tell(`skipped: ${column.name} (${noEngine})`);
      skipped.push(column.name);
      // a missing engine is a skipped part on a person's machine and a failure where nobody looks
      if (readProcessSettings().ci) failures.push(`${column.name}: ${noEngine}`);
      continue;
    }
    tell(`${column.name}:`);
    const startedAt = performance.now();
    try {
      posts += await travel(column);
      seconds[column.name] = Math.round((performance.now() - startedAt) / 1000);
    } catch (error) {
      failures.push(`${column.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { n: posts, failures, facts: { green: Object.keys(seconds), secondsEach: seconds, ...(skipped.length > 0 ? { skipped } : {}) } };
}

async function travel(column: Column): Promise<number> {
  const folder = mkdtempSync(path.join(readProcessSettings().temporaryFolder, 'autoposter-trial-journey-'));
  try {
    const standing = await column.start(folder);
    tell(`   up at ${standing.gateway}`);
    let posts = 0;
    try {
      const admin = await SignedInAdmin.signIn(standing);
      tell('   signed in through Google');
      posts = await new Travel(admin, new SimulatedWorld(standing.control), String(Date.now()).slice(-6)).run();
    } catch (error) {
      await standing.stop().catch(() => undefined);
      throw error;
    }
    await standing.stop();
    return posts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
