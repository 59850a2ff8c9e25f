import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import { type FormEvent, useState } from 'react';
import { type UrlResult, type UrlState, useAddUrls } from '../../data/downloads/use-add-urls';
import { URLS_TEXT as TEXT } from '../../text/urls.text';
import type { StatusTone } from '../../theme/tokens';
import { MessageBar, type MessageTone } from '../../ui/message-bar';
import { Panel } from '../../ui/panel';
import { StatusPill } from '../../ui/status-pill';
import { type LineState, parseUrls } from './parse-urls';
import { UrlField } from './url-field';

const TONES: Record<UrlState, StatusTone> = {
  waiting: 'grey',
  sending: 'orange',
  accepted: 'green',
  known: 'blue',
  failed: 'red',
  left: 'grey',
};

/** State of each URL during and after submission. */
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
      {results.map(({ url, state, error }) => (
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
  const [text, setText] = useState('');
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
    add.mutate(
      { urls: valid, complete },
      {
        onSuccess: (results) => {
          setMessages([outcome(results), ...refused]);
          setText([...results.filter(({ state }) => !DONE.includes(state)).map(({ url }) => url), ...invalid].join('\n'));
        },
      },
    );
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
        <FormControlLabel
          control={<Checkbox checked={complete} onChange={(event) => setComplete(event.target.checked)} />}
          label={TEXT.auto}
          slotProps={{ typography: { variant: 'body2' } }}
        />
        <Stack direction="row" sx={{ alignItems: 'center', gap: 4, flexWrap: 'wrap' }}>
          <Button type="submit" variant="contained" loading={add.isPending}>
            {complete ? TEXT.complete : TEXT.add}
          </Button>
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
