import Box from '@mui/material/Box';
import { type KeyboardEvent, useId, useRef } from 'react';
import { URLS_TEXT as TEXT } from '../../text/urls.text';
import { MONO } from '../../theme/tokens';
import type { LineState } from './parse-urls';

interface UrlFieldProps {
  value: string;
  states: readonly LineState[];
  /** Read-only while the URLs are submitted. */
  busy: boolean;
  /** Text below the field, announced to screen readers. */
  summary: string;
  onChange: (text: string) => void;
  onSubmit: () => void;
}

const LINE_PX = 22;
const PAD_PX = 12;
const ROWS = { min: 4, max: 14 };
const MARKS: Record<LineState, { sign: string; colour: string }> = {
  blank: { sign: '', colour: 'text.secondary' },
  valid: { sign: '✓', colour: 'status.green.dot' },
  invalid: { sign: '✕', colour: 'status.red.dot' },
  duplicate: { sign: '=', colour: 'status.orange.dot' },
};

/** The URL field with a validity mark in front of each line. */
export function UrlField({ value, states, busy, summary, onChange, onSubmit }: UrlFieldProps) {
  const id = useId();
  const gutter = useRef<HTMLDivElement>(null);
  const rows = Math.min(ROWS.max, Math.max(ROWS.min, states.length));
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <div>
      <Box component="label" htmlFor={id} sx={{ display: 'block', fontSize: 13, fontWeight: 560, mb: 1.5 }}>
        {TEXT.field}
      </Box>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: '32px minmax(0, 1fr)',
          border: 1,
          borderColor: 'line.strong',
          borderRadius: 2,
          overflow: 'hidden',
          bgcolor: 'background.paper',
          fontFamily: MONO,
          fontSize: 13,
          lineHeight: `${LINE_PX}px`,
          '&:focus-within': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -1 },
        }}
      >
        <Box
          aria-hidden
          sx={{
            overflow: 'hidden',
            bgcolor: 'sunken.main',
            textAlign: 'center',
            userSelect: 'none',
            maxHeight: rows * LINE_PX + 2 * PAD_PX,
          }}
        >
          <Box ref={gutter} sx={{ py: `${PAD_PX}px` }}>
            {states.map((state, index) => (
              <Box key={index} data-line={state} sx={{ height: LINE_PX, fontWeight: 700, color: MARKS[state].colour }}>
                {MARKS[state].sign}
              </Box>
            ))}
          </Box>
        </Box>
        <Box
          component="textarea"
          id={id}
          rows={rows}
          wrap="off"
          spellCheck={false}
          value={value}
          readOnly={busy}
          aria-busy={busy}
          placeholder={TEXT.placeholder}
          aria-describedby={`${id}-summary`}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKey}
          onScroll={(event) => {
            if (gutter.current !== null) gutter.current.style.transform = `translateY(${-event.currentTarget.scrollTop}px)`;
          }}
          sx={{
            font: 'inherit',
            border: 0,
            outline: 'none',
            resize: 'none',
            px: 3,
            py: `${PAD_PX}px`,
            bgcolor: 'transparent',
            color: busy ? 'text.secondary' : 'text.primary',
          }}
        />
      </Box>
      <Box id={`${id}-summary`} role="status" className="tabular" sx={{ fontSize: 13, color: 'text.secondary', minHeight: 20, mt: 1 }}>
        {summary}
      </Box>
    </div>
  );
}
