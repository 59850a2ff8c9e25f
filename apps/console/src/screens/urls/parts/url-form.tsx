import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState, type FormEvent } from 'react';
import { useAddUrls, type UrlResult } from '../../../data/downloads/use-add-urls';
import { URLS_TEXT } from '../../../text/urls.text';
import { plural } from '../../../ui/format';
import { MessageBar, type MessageTone } from '../../../ui/message-bar';
import { Panel } from '../../../ui/panel';
import { parseUrls } from '../parse-urls';

interface Message {
  tone: MessageTone;
  text: string;
}

const outcome = (results: readonly UrlResult[]): Message => {
  const bad = results.filter((result) => result.error !== null).length;
  const good = results.length - bad;
  return good === 0 ? { tone: 'red', text: URLS_TEXT.allFailed(bad) } : { tone: 'green', text: URLS_TEXT.done(good, bad) };
};

export function UrlForm() {
  const [text, setText] = useState('');
  const [complete, setComplete] = useState(false);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const add = useAddUrls();
  const { valid, invalid } = parseUrls(text);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (add.isPending) return;
    const refused: Message[] = invalid.length === 0 ? [] : [{ tone: 'red', text: URLS_TEXT.invalid(invalid) }];
    if (valid.length === 0) {
      setMessages(refused.length > 0 ? refused : [{ tone: 'red', text: URLS_TEXT.none }]);
      return;
    }
    setMessages(refused);
    add.mutate(
      { urls: valid, complete },
      {
        onSuccess: (results) => {
          const failed = results.filter((result) => result.error !== null);
          const reasons = failed.map(({ url, error }): Message => ({ tone: 'red', text: `${url}: ${error ?? ''}` }));
          setMessages([outcome(results), ...reasons, ...refused]);
          setText([...failed.map((result) => result.url), ...invalid].join('\n'));
        },
      },
    );
  };

  const hint = [
    plural(valid.length, 'link'),
    ...(invalid.length > 0 ? [`${plural(invalid.length, 'line')} that cannot be used`] : []),
  ].join(', ');
  return (
    <Panel>
      <Stack component="form" onSubmit={submit} noValidate sx={{ gap: 3.5 }}>
        <TextField
          multiline
          minRows={4}
          maxRows={14}
          label={URLS_TEXT.field}
          placeholder={URLS_TEXT.placeholder}
          value={text}
          disabled={add.isPending}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => (event.key === 'Enter' && (event.ctrlKey || event.metaKey) ? submit() : undefined)}
          slotProps={{ htmlInput: { spellCheck: false, sx: { fontSize: 13, lineHeight: 1.7 } }, inputLabel: { shrink: true } }}
        />
        <FormControlLabel
          control={<Checkbox checked={complete} onChange={(event) => setComplete(event.target.checked)} />}
          label={URLS_TEXT.auto}
          slotProps={{ typography: { variant: 'body2' } }}
        />
        <Stack direction="row" sx={{ alignItems: 'center', gap: 4, flexWrap: 'wrap' }}>
          <Button type="submit" variant="contained" loading={add.isPending}>
            {complete ? URLS_TEXT.complete : URLS_TEXT.add}
          </Button>
          <Typography variant="body2" role="status" className="tabular" sx={{ color: 'text.secondary' }}>
            {add.isPending ? `${add.done} of ${valid.length} sent` : text.trim() === '' ? '' : hint}
          </Typography>
        </Stack>
        {messages.map((message) => (
          <MessageBar key={message.text} tone={message.tone}>
            {message.text}
          </MessageBar>
        ))}
      </Stack>
    </Panel>
  );
}
