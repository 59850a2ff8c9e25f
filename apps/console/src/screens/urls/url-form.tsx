import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { type UrlResult, type UrlState, useAddUrls } from '../../data/downloads/use-add-urls';
import { URLS_TEXT as TEXT } from '../../text/urls.text';
import { MONO, type StatusTone } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { MessageBar, type MessageTone } from '../../ui/feedback';
import { CheckboxField } from '../../ui/fields';
import { Panel } from '../../ui/layout';
import { Box, Stack } from '../../ui/mui';
import { StatusPill } from '../../ui/status';
import { useStoredText } from '../../ui/use-stored-text';
import { type LineState, parseUrls } from './parse-urls';

interface UrlFieldProps {
  value: string;
  states: readonly LineState[];
  /** Read-only while the URLs are submitted. */
  busy: boolean;
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

function UrlField({ value, states, busy, summary, onChange, onSubmit }: UrlFieldProps) {
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
      <Box id={`${id}-summary`} role="status" sx={{ fontSize: 13, color: 'text.secondary', minHeight: 20, mt: 1 }}>
        {summary}
      </Box>
    </div>
  );
}

const TONES: Record<UrlState, StatusTone> = {
  waiting: 'grey',
  sending: 'orange',
  accepted: 'green',
  known: 'blue',
  failed: 'red',
  left: 'grey',
};

function UrlResults({ results }: { results: readonly UrlResult[] }) {
  if (results.length === 0) return null;
  return (
    <Box
      component="ul"
      tabIndex={0}
      aria-label={TEXT.results}
      sx={{
        listStyle: 'none',
        m: 0,
        p: 0,
        maxHeight: 260,
        overflowY: 'auto',
        border: 1,
        borderColor: 'line.main',
        borderRadius: 2,
        fontSize: 13,
      }}
    >
      {results.map(({ url, state, error, notice }) => (
        <Box
          component="li"
          key={url}
          sx={{
            display: 'flex',
            gap: 3,
            alignItems: 'center',
            px: 3,
            py: 1.5,
            borderTop: 1,
            borderColor: 'line.main',
            '&:first-of-type': { borderTop: 0 },
          }}
        >
          <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {url}
            {error === null ? null : <Box sx={{ color: 'status.red.text' }}>{error}</Box>}
            {notice === undefined ? null : <Box sx={{ color: 'status.orange.text' }}>{notice}</Box>}
          </Box>
          <StatusPill status={state} tone={TONES[state]} label={TEXT.states[state]} />
        </Box>
      ))}
    </Box>
  );
}

interface Message {
  tone: MessageTone;
  text: string;
}

const DONE = ['accepted', 'known'];

const outcome = (results: readonly UrlResult[]): Message => {
  const bad = results.filter((result) => result.state === 'failed').length;
  const good = results.filter((result) => DONE.includes(result.state)).length;
  return good === 0 && bad > 0 ? { tone: 'red', text: TEXT.allFailed(bad) } : { tone: 'green', text: TEXT.done(good, bad) };
};

function summaryOf(states: readonly LineState[]): string {
  const of = (state: LineState) => states.flatMap((each, index) => (each === state ? [index + 1] : []));
  const [valid, invalid, duplicate] = [of('valid'), of('invalid'), of('duplicate')];
  if (valid.length + invalid.length === 0) return '';
  return [TEXT.usable(valid.length), TEXT.unusable(invalid), TEXT.repeated(duplicate)].filter(Boolean).join(' · ');
}

export function UrlForm() {
  // a reload, another screen or a new sign-in must not cost a long list of links
  const [text, setText] = useStoredText('sessionStorage', 'autoposter.urls');
  const [complete, setComplete] = useState(false);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const add = useAddUrls(TEXT.sending);
  const { states, valid, invalid } = parseUrls(text);
  const sent = add.results.filter(({ state }) => state !== 'waiting' && state !== 'sending').length;

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (add.isPending) return;
    const refused: Message[] = invalid.length === 0 ? [] : [{ tone: 'red', text: TEXT.invalid(invalid) }];
    if (valid.length === 0) {
      setMessages(refused.length > 0 ? refused : [{ tone: 'red', text: TEXT.none }]);
      return;
    }
    setMessages(refused);
    // a promise, because a callback is not called after another screen was opened
    void add.mutateAsync({ urls: valid, complete }).then((results) => {
      setMessages([outcome(results), ...refused]);
      setText([...results.filter(({ state }) => !DONE.includes(state)).map(({ url }) => url), ...invalid].join('\n'));
    });
  };
  return (
    <Panel>
      <Stack component="form" onSubmit={submit} noValidate sx={{ gap: 3.5 }}>
        <UrlField
          value={text}
          states={states}
          busy={add.isPending}
          summary={add.isPending ? TEXT.sent(sent, add.results.length) : summaryOf(states)}
          onChange={setText}
          onSubmit={submit}
        />
        <CheckboxField label={TEXT.auto} checked={complete} onChange={setComplete} />
        <Stack direction="row" sx={{ alignItems: 'center', gap: 4, flexWrap: 'wrap' }}>
          <ActionButton label={complete ? TEXT.complete : TEXT.add} type="submit" variant="contained" loading={add.isPending} />
        </Stack>
        {messages.map((message) => (
          <MessageBar key={message.text} tone={message.tone}>
            {message.text}
          </MessageBar>
        ))}
        <UrlResults results={add.results} />
      </Stack>
    </Panel>
  );
}
