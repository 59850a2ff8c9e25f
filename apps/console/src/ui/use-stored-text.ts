import { useState } from 'react';

function read(storage: 'localStorage' | 'sessionStorage', key: string): string {
  try {
    return window[storage].getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** A text that survives a reload: in this browser, or in this tab only. Empty at first. */
export function useStoredText(storage: 'localStorage' | 'sessionStorage', key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(storage, key));
  const change = (next: string) => {
    setText(next);
    try {
      window[storage].setItem(key, next);
    } catch {
      // Without storage it lasts until the page is closed.
    }
  };
  return [text, change];
}
