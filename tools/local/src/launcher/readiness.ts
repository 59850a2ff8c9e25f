import { setTimeout as pause } from 'node:timers/promises';
import { PlainStop } from '../plain-stop';

const TRY_EVERY_MS = 150;

export interface Patience {
  ms: number;
  /** Ends the waiting with its own sentence; `null` as long as there is hope. */
  hopeless: () => string | null;
  /** Ends it without one. */
  stopped: AbortSignal;
}

/** Waits until an address answers 2xx. */
export async function waitUntilOk(name: string, url: string, { ms, hopeless, stopped }: Patience): Promise<void> {
  let last = 'no answer yet';
  for (const until = Date.now() + ms; Date.now() < until;) {
    const end = hopeless();
    if (end !== null) throw new PlainStop(end);
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([AbortSignal.timeout(3_000), stopped]) });
      if (answer.ok) return;
      last = `${answer.status} ${(await answer.text()).slice(0, 300)}`;
    } catch (error) {
      last = (error as Error).message;
    }
    await pause(TRY_EVERY_MS, undefined, { signal: stopped });
  }
  throw new PlainStop(`${name} did not become ready in ${Math.round(ms / 1000)} s (${last}).`);
}
