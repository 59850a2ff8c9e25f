import { allRoutes } from '@autoposter/contracts';
import { startLoneGateway } from '../product/lone-gateway';
import { tell, type TrialArguments, type TrialResult } from '../trial';
import { CountingProxy, type Broken } from './counting-proxy';
import { fetchFuzzer, fuzz } from './fuzzer';

const SHORT = 1_000;
const LONG = 10_000;
const MAX_ROUNDS = 12;
const SHOWN = 20;

/** Requests made from the OpenAPI document, right and wrong ones, until enough were answered: no answer may be 500 or above. */
export async function apiFuzz({ n, seed, full }: TrialArguments): Promise<TrialResult> {
  const absent = fetchFuzzer();
  if (absent !== null) {
    tell(`skipped: ${absent}`);
    return { n: 0, failures: [], facts: { skipped: absent } };
  }
  const wanted = n ?? (full ? LONG : SHORT);
  const gateway = await startLoneGateway('api-fuzz', { RATE_LIMITS: 'false' });
  const proxy = new CountingProxy(gateway.address);
  try {
    const address = await proxy.start();
    const { token } = await gateway.signIn();
    const findings = new Set<string>();
    for (let round = 0; proxy.count < wanted && round < MAX_ROUNDS; round += 1) {
      const perCall = Math.max(1, Math.ceil((wanted - proxy.count) / allRoutes.length));
      const said = await fuzz({ address, token, seed: seed + round, perCall });
      for (const finding of findingsOf(said)) findings.add(finding);
      tell(`round ${round + 1}: ${proxy.count} requests answered, ${proxy.broken.length} with 500 or above`);
      if (proxy.count === 0) throw new Error(`the fuzzer asked nothing:\n${said.slice(-3000)}`);
    }
    const failures = [...shown(proxy.broken), ...findings];
    if (proxy.count < wanted) failures.push(`only ${proxy.count} of ${wanted} requests were made`);
    if (!gateway.program.isAlive) failures.push(`the gateway fell: ${gateway.program.words.slice(-1000)}`);
    const byStatus = Object.fromEntries([...proxy.byStatus].sort(([a], [b]) => a - b));
    return { n: proxy.count, failures, facts: { calls: allRoutes.length, answersFrom500: proxy.broken.length, byStatus } };
  } finally {
    await proxy.stop();
    await gateway.stop();
  }
}

function shown(broken: readonly Broken[]): string[] {
  const sentences = broken.map(({ method, url, status, body, sent }) => `${method} ${url.slice(0, 300)} ${sent}: ${status} ${body}`);
  return sentences.length <= SHOWN ? sentences : [...sentences.slice(0, SHOWN), `and ${sentences.length - SHOWN} more`];
}

/** Answers whose type or shape is not what the document says: the call and the check that it failed. */
function findingsOf(text: string): string[] {
  const sections = text.split(/^_{5,} (.+) _{5,}$/mu);
  const findings: string[] = [];
  for (let index = 1; index < sections.length; index += 2) {
    const call = sections[index] ?? '';
    const checks = [...(sections[index + 1] ?? '').matchAll(/^- (.+)$/gmu)].map(([, check]) => check ?? '');
    findings.push(...[...new Set(checks)].filter((check) => !/Server error/iu.test(check)).map((check) => `${call}: ${check}`));
  }
  return findings;
}
