import { Store, useStore } from './store';

/** Skew of the browser's clock that counts; less is within the precision of the measurement and does not matter on a screen. */
const MIN_SKEW_MS = 5_000;
/** A slower answer does not say when the server wrote it. */
const MAX_ROUND_TRIP_MS = 2_000;
/** The server names whole seconds. */
const HALF_SECOND_MS = 500;

const offset = new Store(0);

/** The server's time in milliseconds since 1970. Its times are compared with this one, because the clock of a browser may be wrong. */
export const serverNow = (): number => Date.now() + offset.get();

/** Milliseconds by which the server's clock is ahead of the browser's. */
export const useClockOffset = (): number => useStore(offset);

/** Learns the offset from the `Date` header of an answer to a request that was sent at `sentAt` of the browser's clock. */
export function learnServerTime(header: string | null | undefined, sentAt: number): void {
  const receivedAt = Date.now();
  const server = Date.parse(header ?? '');
  const roundTripMs = receivedAt - sentAt;
  if (Number.isNaN(server) || roundTripMs < 0 || roundTripMs > MAX_ROUND_TRIP_MS) return;
  const measured = server + HALF_SECOND_MS - (sentAt + receivedAt) / 2;
  const skew = Math.abs(measured) < MIN_SKEW_MS ? 0 : Math.round(measured);
  if (Math.abs(skew - offset.get()) >= MIN_SKEW_MS) offset.set(skew);
}
