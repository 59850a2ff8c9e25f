import { useEffect, useState } from 'react';

const TICK_MS = 15_000;

/** The present, renewed every quarter of a minute or every `tickMs`, for times told relative to now. */
export function useNow(tickMs = TICK_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
}
