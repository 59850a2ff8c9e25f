import { mdiContentCopy } from '@mdi/js';
import type { KeyboardEvent } from 'react';
import { LOGS_TEXT as TEXT } from '../../../text/logs.text';
import { copyText } from '../../../ui/export-text';
import { notify } from '../../../ui/notifications';

const copyLine = (text: string) => void copyText(text).then((done) => (done ? notify.success(TEXT.lineCopied) : undefined));

/** Up and down lead from line to line: one stop of the Tab key for all of them. */
const onArrow = (event: KeyboardEvent) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const line = event.currentTarget.closest('[data-index]');
  if (by === undefined || line === null) return;
  event.preventDefault();
  const next = Number(line.getAttribute('data-index')) + by;
  line.parentElement?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus();
};

/** Copies its line. A bare button: the styles of the lines cover it. */
export const CopyLine = ({ text, tabStop }: { text: string; tabStop: boolean }) => (
  <button
    type="button"
    aria-label={TEXT.copyLine}
    title={TEXT.copyLine}
    tabIndex={tabStop ? 0 : -1}
    onClick={() => copyLine(text)}
    onKeyDown={onArrow}
  >
    <svg viewBox="0 0 24 24" aria-hidden>
      <path d={mdiContentCopy} />
    </svg>
  </button>
);
