import { PlainStop } from '../plain-stop';

const TRY_EVERY_MS = 150;

/** Waits until an address answers 2xx. While it does not, `stillAlive` may end the waiting with its own sentence. */
export async function waitUntilOk(name: string, url: string, patienceMs: number, stillAlive: () => string | null): Promise<void> {
  let last = 'no answer yet';
  for (const until = Date.now() + patienceMs; Date.now() < until;) {
    const end = stillAlive();
    if (end !== null) throw new PlainStop(end);
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
      if (answer.ok) return;
      last = `${answer.status} ${(await answer.text()).slice(0, 300)}`;
    } catch (error) {
      last = (error as Error).message;
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  throw new PlainStop(`${name} did not become ready in ${Math.round(patienceMs / 1000)} s (${last}).`);
}
