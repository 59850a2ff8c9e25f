import type { CreateNoticeBody } from '@autoposter/contracts';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../data/http/client';
import { useCreateNotice } from '../../data/rights/use-rights';
import { serverNow } from '../../store/clock';
import { NOTICES_TEXT as TEXT } from '../../text/takedown.text';
import { ActionButton } from '../../ui/actions';
import { MessageBar } from '../../ui/feedback';
import { CheckboxField } from '../../ui/fields';
import { Panel } from '../../ui/layout';
import { Box, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';

const EMPTY = { claimant: '', reference: '', contact: '', work: '', signature: '', workUrls: '', locations: '' };
type FieldName = keyof typeof EMPTY;
const FIELDS: readonly (readonly [FieldName, number])[] = [
  ['claimant', 200],
  ['reference', 200],
  ['contact', 500],
  ['work', 300],
  ['signature', 200],
];
const LISTS = ['workUrls', 'locations'] as const;

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

/** Sends only the elements that the notice has; the server names the missing ones. */
const bodyOf = (fields: typeof EMPTY, goodFaith: boolean, accurate: boolean): CreateNoticeBody => ({
  claimant: fields.claimant.trim(),
  ...Object.fromEntries(
    (['reference', 'contact', 'work', 'signature'] as const).flatMap((name) =>
      fields[name].trim() === '' ? [] : [[name, fields[name].trim()]],
    ),
  ),
  workUrls: linesOf(fields.workUrls),
  locations: linesOf(fields.locations),
  receivedAt: new Date(serverNow()).toISOString(),
  goodFaith,
  accurate,
});

/** Records a notice that arrived now. `onDone` gets its id, or nothing when cancelled. */
export function NoticeForm({ onDone }: { onDone: (id?: string) => void }) {
  const [fields, setFields] = useState(EMPTY);
  const [goodFaith, setGoodFaith] = useState(false);
  const [accurate, setAccurate] = useState(false);
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState('');
  const create = useCreateNotice();
  const missing = tried && fields.claimant.trim() === '';
  const set = (name: FieldName, value: string) => setFields({ ...fields, [name]: value });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fields.claimant.trim() === '' || create.isPending) return;
    try {
      const { data } = await create.mutateAsync(bodyOf(fields, goodFaith, accurate));
      notify.success(TEXT.recorded);
      onDone(data.id);
    } catch (error) {
      setProblem(TEXT.failed(errorText(error)));
    }
  };
  return (
    <Panel title={TEXT.add}>
      <Box
        component="form"
        noValidate
        onSubmit={(event: FormEvent) => void submit(event)}
        sx={{ display: 'grid', gap: 4, gridTemplateColumns: { sm: '1fr 1fr' } }}
      >
        {FIELDS.map(([name, longest]) => (
          <TextField
            key={name}
            label={TEXT.fields[name]}
            value={fields[name]}
            required={name === 'claimant'}
            error={name === 'claimant' && missing}
            helperText={name === 'claimant' && missing ? TEXT.needed : undefined}
            onChange={(event) => set(name, event.target.value)}
            slotProps={{ htmlInput: { maxLength: longest } }}
          />
        ))}
        {LISTS.map((name) => (
          <TextField
            key={name}
            multiline
            minRows={2}
            label={TEXT.fields[name]}
            value={fields[name]}
            onChange={(event) => set(name, event.target.value)}
            sx={{ gridColumn: '1 / -1' }}
          />
        ))}
        <Box sx={{ gridColumn: '1 / -1', display: 'grid' }}>
          <CheckboxField label={TEXT.goodFaith} checked={goodFaith} onChange={setGoodFaith} />
          <CheckboxField label={TEXT.accurate} checked={accurate} onChange={setAccurate} />
        </Box>
        {problem === '' ? null : (
          <Box sx={{ gridColumn: '1 / -1' }}>
            <MessageBar tone="red">{problem}</MessageBar>
          </Box>
        )}
        <Stack direction="row" sx={{ gap: 2 }}>
          <ActionButton label={TEXT.save} type="submit" variant="contained" loading={create.isPending} />
          <ActionButton label={TEXT.cancel} variant="text" onClick={() => onDone()} />
        </Stack>
      </Box>
    </Panel>
  );
}
