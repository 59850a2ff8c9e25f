import { Agent, request } from 'node:http';

export interface Latency {
  p50: number;
  p99: number;
  max: number;
  failed: number;
}

/** Milliseconds of `count` requests, some at a time, over connections that are kept. */
export async function measure(url: string, token: string, count: number, atATime: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime });
  const times: number[] = [];
  let left = count;
  const lane = async (): Promise<void> => {
    while ((left -= 1) >= 0) times.push(await timeOf(url, token, agent));
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  agent.destroy();
  return times;
}

/** Infinite where no good answer came. */
function timeOf(url: string, token: string, agent: Agent): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers: { authorization: `Bearer ${token}` }, timeout: 20_000 }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode === 200 ? performance.now() - startedAt : Infinity));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(Infinity));
    asked.end();
  });
}

export function summaryOf(times: readonly number[]): Latency {
  const good = times.filter(Number.isFinite).sort((a, b) => a - b);
  const at = (share: number): number => Math.round((good[Math.min(good.length - 1, Math.floor(good.length * share))] ?? 0) * 100) / 100;
  return { p50: at(0.5), p99: at(0.99), max: at(1), failed: times.length - good.length };
}
