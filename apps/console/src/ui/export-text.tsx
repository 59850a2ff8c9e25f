import { mdiCheck, mdiContentCopy } from '@mdi/js';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { Icon } from './icon';
import { notify } from './notifications';

/** Milliseconds for which the button says that it was done. */
const DONE_MS = 2_000;

/** Puts a text on the clipboard; says so when the browser allows it not, as on a page without a secure connection. Resolves to whether it did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    notify.failure('The browser does not allow copying here');
    return false;
  }
}

/** Puts a text on the clipboard. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => copyText(text).then(setDone);
  return (
    <Button size="small" variant="outlined" startIcon={<Icon path={done ? mdiCheck : mdiContentCopy} />} onClick={() => void copy()}>
      {done ? 'Copied' : label}
    </Button>
  );
}

/** Hands a text to the reader as a file of that name. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The browser takes the file up after the click; until then its address has to stand.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
