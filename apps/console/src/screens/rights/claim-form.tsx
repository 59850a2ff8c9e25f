import type { ClaimScope } from '@autoposter/contracts';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../data/http/client';
import { findItemByLink, useAddClaim } from '../../data/rights/use-rights';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { ActionButton } from '../../ui/actions';
import { Box, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { DateField, LabelledChoice } from '../../ui/fields';
import { Panel } from '../../ui/layout';
import type { Effect } from './claim-effect';
import { FileButton } from '../../ui/file-button';
import { megabytes } from '../../ui/format';

const EMPTY = { title: '', claimant: '', contact: '', noticeReference: '', note: '' };
type FieldName = keyof typeof EMPTY;
const FIELDS: readonly (readonly [FieldName, string, number])[] = [
  ['title', TEXT.work, 300],
  ['claimant', TEXT.claimant, 200],
  ['contact', TEXT.contact, 300],
  ['noticeReference', TEXT.noticeReference, 200],
  ['note', TEXT.note, 2000],
];
const SCOPES = Object.entries(TEXT.scopes) as [ClaimScope, string][];
const NEEDED: readonly FieldName[] = ['title', 'claimant'];

/** Only non-empty fields are sent. */
const filled = (fields: typeof EMPTY) => ({
  title: fields.title.trim(),
  claimant: fields.claimant.trim(),
  ...Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))),
});

/** Adds a claim. `onDone` gets the effect, or nothing when cancelled. */
export function ClaimForm({ link, onDone }: { link: string; onDone: (effect?: Effect) => void }) {
  const [fields, setFields] = useState(EMPTY);
  const [noticeDate, setNoticeDate] = useState('');
  const [scope, setScope] = useState<ClaimScope>('audiovisual');
  const [named, setNamed] = useState<Identification>({ way: 'link', text: link, file: null });
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState('');
  const add = useAddClaim();
  const [searching, setSearching] = useState(false);
  const missing = (name: FieldName) => tried && NEEDED.includes(name) && fields[name].trim() === '';

  const identify = async () => {
    const { way, text, file } = named;
    if (way === 'file') return file === null ? (setProblem(TEXT.noFile), null) : { upload: true as const };
    if (text.trim() === '') return (setProblem(TEXT.needed), null);
    if (way === 'sourceUrl') return { sourceUrl: text.trim(), workUrls: [text.trim()] };
    if (way !== 'link') return { [way]: text.trim() };
    const itemId = await findItemByLink(text);
    return itemId === null ? (setProblem(TEXT.notHeld), null) : { itemId };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setProblem('');
    if (NEEDED.some((name) => fields[name].trim() === '') || add.isPending || searching) return;
    setSearching(true);
    try {
      const by = await identify();
      if (by === null) return;
      const body = { ...filled(fields), ...by, scope, ...(noticeDate === '' ? {} : { noticeDate }) };
      const { claim, uploadError } = await add.mutateAsync({ body, file: named.way === 'file' ? named.file : null });
      if (uploadError === null) notify.success(TEXT.added(body.title));
      else notify.failure(TEXT.addedWithoutFile(body.title, errorText(uploadError)));
      onDone(claim.held && uploadError === null ? { title: claim.title, change: claim.held } : undefined);
    } catch (error) {
      setProblem(TEXT.addFailed(errorText(error)));
    } finally {
      setSearching(false);
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
        {FIELDS.map(([name, label, longest]) => (
          <TextField
            key={name}
            label={label}
            value={fields[name]}
            required={NEEDED.includes(name)}
            error={missing(name)}
            helperText={missing(name) ? TEXT.needed : undefined}
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
            slotProps={{ htmlInput: { maxLength: longest } }}
            sx={name === 'note' ? { gridColumn: '1 / -1' } : {}}
          />
        ))}
        <DateField label={TEXT.noticeDate} value={noticeDate} onChange={setNoticeDate} />
        <LabelledChoice label={TEXT.scope} value={scope} options={SCOPES} onChange={(next) => next !== null && setScope(next)} />
        <ClaimIdentification
          value={named}
          problem={problem}
          onChange={(next) => {
            setNamed(next);
            setProblem('');
          }}
        />
        <Stack direction="row" sx={{ gap: 2 }}>
          <ActionButton label={TEXT.save} type="submit" variant="contained" loading={add.isPending || searching} />
          <ActionButton label={TEXT.cancel} variant="text" onClick={() => onDone()} />
        </Stack>
      </Box>
    </Panel>
  );
}

/** How a claim names the work. */
type Way = keyof typeof TEXT.ways;
const WAYS = Object.entries(TEXT.ways) as [Way, string][];

interface Identification {
  way: Way;
  text: string;
  file: File | null;
}

interface ClaimIdentificationProps {
  value: Identification;
  problem: string;
  onChange: (value: Identification) => void;
}

/** Chooses a way to name the work and takes the text or file for it. */
function ClaimIdentification({ value: { way, text, file }, problem, onChange }: ClaimIdentificationProps) {
  const { label, hint } = TEXT.identified[way];
  return (
    <>
      <LabelledChoice
        label={TEXT.by}
        value={way}
        options={WAYS}
        onChange={(next) => next !== null && onChange({ way: next, text: '', file })}
      />
      <Stack direction="row" sx={{ gridColumn: '1 / -1', gap: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
        {way === 'file' ? (
          <Box sx={{ display: 'grid', gap: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            <FileButton purpose="work" label={TEXT.choose} onChosen={(chosen) => onChange({ way, text, file: chosen })} />
            {file === null ? null : <span>{TEXT.chosen(file.name, megabytes(file.size))}</span>}
            <Box role={problem === '' ? undefined : 'alert'} sx={{ fontSize: 12, color: problem === '' ? 'text.secondary' : 'error.main' }}>
              {problem === '' ? hint : problem}
            </Box>
          </Box>
        ) : (
          <TextField
            label={label}
            value={text}
            error={problem !== ''}
            helperText={problem === '' ? hint : problem}
            onChange={(event) => onChange({ way, text: event.target.value, file })}
            slotProps={{ formHelperText: { role: problem === '' ? undefined : 'alert' }, htmlInput: { maxLength: 2000 } }}
            sx={{ flex: '1 1 260px' }}
          />
        )}
      </Stack>
    </>
  );
}
