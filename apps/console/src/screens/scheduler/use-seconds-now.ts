import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/** The present to the second, in milliseconds since 1970. */
export function useSecondsNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
