import { type FormEvent, useRef, useState } from 'react';
import { errorText } from '../../data/http/client';
import { findItemByLink, useAddClaim } from '../../data/rights/use-claims';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { ActionButton } from '../../ui/actions';
import { Box, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { ToggleChoice } from '../../ui/fields';
import { Panel } from '../../ui/layout';
import type { Effect } from './claim-row';

const HEX = 16;

/** SHA-256 of a file in hex. The file never leaves the browser. */
async function fileHash(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(HEX).padStart(2, '0')).join('');
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/u.test(text);

type Identification = keyof typeof TEXT.ways;
const WAYS = Object.entries(TEXT.ways) as [Identification, string][];
const EMPTY = { title: '', claimant: '', contact: '', sourceUrl: '', note: '' };
type FieldName = keyof typeof EMPTY;
const FIELDS: readonly (readonly [FieldName, string, number])[] = [
  ['title', TEXT.work, 300],
  ['claimant', TEXT.claimant, 200],
  ['contact', TEXT.contact, 300],
  ['sourceUrl', TEXT.sourceUrl, 2000],
  ['note', TEXT.note, 2000],
];
const NEEDED: readonly FieldName[] = ['title', 'claimant'];

/** Only non-empty fields are sent. */
const filled = (fields: typeof EMPTY) => ({
  title: fields.title.trim(),
  claimant: fields.claimant.trim(),
  ...Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))),
});

/** Adds a claim, identified by a post or by a file hash. `onDone` gets the effect, or nothing when cancelled. */
export function ClaimForm({ link: first, onDone }: { link: string; onDone: (effect?: Effect) => void }) {
  const [fields, setFields] = useState(EMPTY);
  const [way, setWay] = useState<Identification>('link');
  const [link, setLink] = useState(first);
  const [hash, setHash] = useState('');
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState('');
  const chosen = useRef<HTMLInputElement>(null);
  const add = useAddClaim();
  const [searching, setSearching] = useState(false);
  const missing = (name: FieldName) => tried && NEEDED.includes(name) && fields[name].trim() === '';

  const identify = async (): Promise<{ itemId: string } | { sha256: string } | null> => {
    if (way === 'hash') return isHash(hash) ? { sha256: hash } : (setProblem(TEXT.badHash), null);
    const itemId = await findItemByLink(link);
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
      const { title, held } = (await add.mutateAsync({ ...filled(fields), ...by })).data;
      notify.success(TEXT.added(fields.title.trim()));
      onDone(held && { title, held });
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
        <ToggleChoice label={TEXT.by} value={way} options={WAYS} onChange={(next) => next !== null && setWay(next)} />
        <Stack direction="row" sx={{ gridColumn: '1 / -1', gap: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
          <TextField
            label={way === 'link' ? TEXT.link : TEXT.hash}
            value={way === 'link' ? link : hash}
            error={problem !== ''}
            helperText={problem === '' ? (way === 'link' ? TEXT.linkHint : TEXT.hashHint) : problem}
            onChange={(event) => (way === 'link' ? setLink(event.target.value) : setHash(event.target.value.trim().toLowerCase()))}
            slotProps={{ formHelperText: { role: problem === '' ? undefined : 'alert' } }}
            sx={{ flex: '1 1 260px' }}
          />
          {way === 'hash' ? (
            <>
              <ActionButton label={TEXT.choose} onClick={() => chosen.current?.click()} />
              <input
                ref={chosen}
                type="file"
                hidden
                aria-label={TEXT.choose}
                onChange={(event) => {
                  const file = event.currentTarget.files?.[0];
                  if (file !== undefined) void fileHash(file).then(setHash, (error: unknown) => setProblem(errorText(error)));
                }}
              />
            </>
          ) : null}
        </Stack>
        <Stack direction="row" sx={{ gap: 2 }}>
          <ActionButton label={TEXT.save} type="submit" variant="contained" loading={add.isPending || searching} />
          <ActionButton label={TEXT.cancel} variant="text" onClick={() => onDone()} />
        </Stack>
      </Box>
    </Panel>
  );
}
