import { api } from '@autoposter/contracts';
import { type LoneGateway, startLoneGateway } from '../product/lone-gateway';
import { progress, type TrialArguments, type TrialResult } from '../trial';
import { ConnectionLoad, type Latency, LiveStreams, measure, summaryOf } from './connections';

const IDLE = { full: 10_000, short: 2_000 };
const STREAMS = { full: 1_000, short: 200 };
const SLOW_BODIES = 200;
const BLOCKS = 3;
const REQUESTS = 1_000;
const CONCURRENCY = 4;
const MAX_P99_RATIO = 2;
/** Until an event has reached all live streams. */
const MAX_FANOUT_MS = 1_000;
const STREAMS_PER_SESSION = 10;
const EVENTS = 10;

/** Latency beside idle connections and slow requests, and the time that an event takes to reach many live streams. */
export async function sockets({ n, full }: TrialArguments): Promise<TrialResult> {
  const size = full ? 'full' : 'short';
  const gateway = await startLoneGateway('sockets');
  const failures: string[] = [];
  try {
    const load = await measureUnderLoad(gateway, n ?? IDLE[size], failures);
    const live = await measureFanout(gateway, STREAMS[size], failures);
    return { n: load.requests + live.events * live.streams, failures, facts: { burden: load, live } };
  } finally {
    await gateway.stop();
  }
}

/** Blocks with and without load alternate, so that other work of the machine affects both. */
async function measureUnderLoad(gateway: LoneGateway, wanted: number, failures: string[]) {
  const { token } = await gateway.signIn();
  const url = gateway.address + api.instagramQueue.status.path;
  const port = Number(new URL(gateway.address).port);
  const times: { without: number[]; beside: number[] } = { without: [], beside: [] };
  await measure(url, token, REQUESTS, CONCURRENCY);
  let idle = 0;
  let limit: string | null = null;
  for (let block = 0; block < BLOCKS; block += 1) {
    times.without.push(...(await measure(url, token, REQUESTS, CONCURRENCY)));
    const load = new ConnectionLoad(port);
    await load.slowBodies(SLOW_BODIES, api.subreddits.create.path, token);
    await load.idle(wanted);
    idle = Math.max(idle, load.open - SLOW_BODIES);
    limit = load.limit;
    progress(`block ${block + 1}: ${load.open} connections open${limit === null ? '' : `, then "${limit}"`}`);
    times.beside.push(...(await measure(url, token, REQUESTS, CONCURRENCY)));
    await load.close();
  }
  const without: Latency = summaryOf(times.without);
  const beside: Latency = summaryOf(times.beside);
  const ratio = Math.round((beside.p99 / without.p99) * 100) / 100;
  progress(`p99 ${without.p99} ms without, ${beside.p99} ms beside ${idle} idle connections and ${SLOW_BODIES} slow bodies`);
  if (ratio > MAX_P99_RATIO) failures.push(`p99 is ${ratio} times as long with ${idle} idle connections and ${SLOW_BODIES} slow bodies`);
  if (without.failed + beside.failed > 0) failures.push(`${without.failed + beside.failed} requests failed`);
  if (idle < wanted && limit === null) failures.push(`only ${idle} of ${wanted} connections could be opened, without an error`);
  const requests = times.without.length + times.beside.length;
  return { requests, idle, slowBodies: SLOW_BODIES, limit, p99Ratio: ratio, without, beside };
}

async function measureFanout(gateway: LoneGateway, count: number, failures: string[]) {
  const streams = new LiveStreams(gateway.address);
  const admin = await gateway.signIn();
  for (let open = 0; open < count; open += STREAMS_PER_SESSION) {
    const { token } = await gateway.signIn();
    await Promise.all(Array.from({ length: Math.min(STREAMS_PER_SESSION, count - open) }, () => streams.open(token)));
  }
  progress(`${count} live streams are open`);
  const slowest: number[] = [];
  for (let event = 0; event < EVENTS; event += 1) {
    const { path } = event % 2 === 0 ? api.publishing.pause : api.publishing.resume;
    const times = await streams.fanout(async () => void (await admin.request('POST', path)), 10 * MAX_FANOUT_MS);
    if (times.length < count) failures.push(`event ${event + 1} reached ${times.length} of ${count} streams`);
    slowest.push(Math.round(times[times.length - 1] ?? 0));
  }
  streams.close();
  const slowestMs = Math.max(...slowest);
  progress(`an event reaches all after ${slowestMs} ms at most`);
  if (slowestMs > MAX_FANOUT_MS) failures.push(`an event reached the last of ${count} streams after ${slowestMs} ms`);
  return { streams: count, events: EVENTS, slowestMs, eachMs: slowest };
}
