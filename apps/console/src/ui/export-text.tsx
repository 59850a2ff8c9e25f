import { mdiCheck, mdiContentCopy } from '@mdi/js';
import { useEffect, useState } from 'react';
import { ActionButton } from './actions';
import { Icon } from './icons';
import { notify } from './notifications';

/** How long the button shows its confirmation. */
const COPIED_MS = 2_000;

/** Resolves to false, with a notification, when the browser refuses, for example without a secure context. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    notify.failure('The browser does not allow copying here');
    return false;
  }
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => copyText(text).then(setCopied);
  return (
    <ActionButton
      small
      label={copied ? 'Copied' : label}
      startIcon={<Icon path={copied ? mdiCheck : mdiContentCopy} />}
      onClick={() => void copy()}
    />
  );
}

export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The download starts after this task, so the URL must stay valid until then.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
