import { useState } from 'react';

const KEY = 'autoposter.reels-muted';

const read = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== 'no';
  } catch {
    return true;
  }
};

/** Whether reels are silent; remembered in this browser, silent at first. */
export function useReelSound(): [boolean, (muted: boolean) => void] {
  const [muted, setMuted] = useState(read);
  const change = (next: boolean) => {
    setMuted(next);
    try {
      localStorage.setItem(KEY, next ? 'yes' : 'no');
    } catch {
      // Without storage it holds until the page is left.
    }
  };
  return [muted, change];
}
