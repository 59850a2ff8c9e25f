import { useEffect, useRef, useState } from 'react';

const SETTLES_MS = 250;

/**
 * A text as it is typed, told on once typing rests, so that a long list is not filtered with every key. A value that changes from outside
 * (Back, a cleared filter) replaces what was typed.
 */
export function useDebouncedText(value: string, onSettled: (text: string) => void): [string, (text: string) => void] {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  /** What was told and has not come back as the value yet: typing may have continued meanwhile. */
  const [sent, setSent] = useState<string | null>(null);
  const told = useRef(onSettled);
  useEffect(() => {
    told.current = onSettled;
  });
  if (known !== value) {
    setKnown(value);
    setSent(null);
    if (value !== sent) setDraft(value);
  }
  useEffect(() => {
    if (draft === value) return;
    const timer = setTimeout(() => {
      setSent(draft);
      told.current(draft);
    }, SETTLES_MS);
    return () => clearTimeout(timer);
  }, [draft, value]);
  return [draft, setDraft];
}
