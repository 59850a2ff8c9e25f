import { useEffect, useRef, useState } from 'react';
import { useClockOffset } from '../store/clock';

const TICK_MS = 15_000;

/** The server's current time, updated every `tickMs`: for times that the server sent. */
export const useNow = (tickMs = TICK_MS): number => useLocalNow(tickMs) + useClockOffset();

/** The current time of the browser, updated every `tickMs`: for times that the console recorded. */
export function useLocalNow(tickMs = TICK_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
}

const DEBOUNCE_MS = 250;

/** A text field's value with debounced changes. A change of `value` from outside (Back, a cleared filter) replaces the typed text. */
export function useDebouncedText(value: string, onChange: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  /** Reported to the parent but not yet returned as `value`; meanwhile typing may have continued. */
  const [sent, setSent] = useState<string | null>(null);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  if (lastValue !== value) {
    setLastValue(value);
    setSent(null);
    if (value !== sent) setText(value);
  }
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setSent(text);
      latest.current(text);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return [text, setText];
}
