import { mdiContentCopy } from '@mdi/js';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { LOGS_TEXT as TEXT } from '../../text/operations.text';
import { MONO, STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { copyText } from '../../ui/export-text';
import { plural } from '../../ui/format';
import { Box } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { LEVEL_TONE, type LogLine, piecesOf } from './log-lines';

const copyLine = (text: string) => void copyText(text).then((done) => (done ? notify.success(TEXT.lineCopied) : undefined));

/** Roving focus: the arrow keys move between lines, Tab leaves the list. */
const onArrow = (event: KeyboardEvent) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const line = event.currentTarget.closest('[data-index]');
  if (by === undefined || line === null) return;
  event.preventDefault();
  const next = Number(line.getAttribute('data-index')) + by;
  line.parentElement?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus();
};

/** A plain button: styled once by the list instead of per line. */
const CopyLine = ({ text, tabStop }: { text: string; tabStop: boolean }) => (
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

const LINE_PX = 24;
const HEIGHT_PX = 560;
/** Distance in pixels from the end that still counts as the end. */
const AT_END_PX = 24;
const TONES = ['red', 'orange', 'blue'] as const;

interface LogViewProps {
  lines: readonly LogLine[];
  label: string;
  placeholder: string;
  wrap: boolean;
  pattern: RegExp | null;
  at: number | null;
  /** Called when the scroll position leaves or reaches the end. */
  onFollowing: (following: boolean) => void;
}

/** One style object for all lines: one per line would cost more than rendering it. */
const LINES = {
  '& > div': {
    position: 'absolute',
    left: 0,
    minWidth: 1,
    minHeight: LINE_PX,
    lineHeight: `${LINE_PX}px`,
    pr: 5,
    whiteSpace: 'pre',
    borderLeft: '3px solid transparent',
  },
  '&[data-wrap] > div': { right: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  ...Object.fromEntries(
    TONES.map((tone) => [
      `& > [data-tone=${tone}]`,
      { borderColor: `status.${tone}.dot`, ...(tone === 'blue' ? {} : { color: `status.${tone}.text` }) },
    ]),
  ),
  '& button': {
    ...STANDALONE_LINK,
    position: 'sticky',
    left: 0,
    justifyContent: 'center',
    verticalAlign: 'top',
    width: LINE_PX + 4,
    mr: 1,
    p: 0,
    border: 0,
    bgcolor: 'sunken.main',
    color: 'text.secondary',
    cursor: 'pointer',
    userSelect: 'none',
    '&:hover': { color: 'text.primary' },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2 },
  },
  '& svg': { width: 13, height: 13, fill: 'currentColor' },
  '& mark': { bgcolor: 'status.orange.tint', color: 'status.orange.text', borderRadius: '2px' },
  '& > [data-at]': { bgcolor: 'accent.tint' },
} as const;

/** The log lines. At the end it follows new lines; otherwise it keeps its position and offers a button to the new lines. */
export function LogView({ lines, label, placeholder, wrap, pattern, at, onFollowing }: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const last = lines.length - 1;
  const newest = lines[last]?.n ?? -1;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.n ?? index,
    overscan: 12,
    paddingEnd: 12,
    initialRect: { width: 800, height: HEIGHT_PX },
  });
  useEffect(() => {
    if (leftAt === null && last >= 0) virtual.scrollToIndex(last, { align: 'end' });
  }, [leftAt, last, newest, virtual]);
  useEffect(() => {
    if (at !== null) virtual.scrollToIndex(at, { align: 'center' });
  }, [at, virtual]);
  useEffect(() => virtual.measure(), [virtual, wrap]);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
    if (atEnd === (leftAt === null)) return;
    setLeftAt(atEnd ? null : newest);
    onFollowing(atEnd);
  };
  const rows = virtual.getVirtualItems();
  const [from = 0, until = 0] = [rows[0]?.index, rows.at(-1)?.index];
  const tabStop = at !== null && at >= from && at <= until ? at : until;
  const fresh = leftAt === null ? 0 : lines.filter((line) => line.n > leftAt).length;
  return (
    <Box sx={{ position: 'relative' }}>
      <Box
        ref={box}
        role="log"
        aria-label={label}
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
        sx={{
          height: { xs: '60dvh', md: HEIGHT_PX },
          overflow: 'auto',
          overflowAnchor: 'none',
          bgcolor: 'sunken.main',
          fontFamily: MONO,
          fontSize: 12,
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        {lines.length === 0 ? <Box sx={{ p: 6, color: 'text.secondary' }}>{placeholder}</Box> : null}
        <Box
          {...(wrap ? { 'data-wrap': '' } : {})}
          sx={{ position: 'relative', minWidth: wrap ? 0 : 'max-content', ...LINES }}
          style={{ height: virtual.getTotalSize() }}
        >
          {rows.map((row) => {
            const line = lines[row.index];
            return line === undefined ? null : (
              <div
                key={row.key}
                ref={wrap ? virtual.measureElement : null}
                data-index={row.index}
                data-tone={LEVEL_TONE[line.level]}
                {...(row.index === at ? { 'data-at': '' } : {})}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <CopyLine text={line.text} tabStop={row.index === tabStop} />
                {piecesOf(line.text, pattern).map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
              </div>
            );
          })}
        </Box>
      </Box>
      {fresh > 0 ? (
        <ActionButton
          small
          label={plural(fresh, 'new line')}
          variant="contained"
          onClick={() => virtual.scrollToIndex(last, { align: 'end' })}
          sx={{ position: 'absolute', bottom: 14, left: '50%', transform: 'translateX(-50%)' }}
        />
      ) : null}
    </Box>
  );
}
