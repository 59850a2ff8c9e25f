import { CLAIM_TARGETS, type AllowBody, type Claim } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useAllow, useEndAllow } from '../../data/rights/use-claims';
import { ALLOW_TEXT as TEXT } from '../../text/rights.text';
import { ActionButton } from '../../ui/actions';
import { DateField, ToggleChoice } from '../../ui/fields';
import { endOfDay } from '../../ui/end-of-day';
import { formatDateTime } from '../../ui/format';
import { Box, Stack, TextField } from '../../ui/mui';

const KINDS = CLAIM_TARGETS.map((kind) => [kind, TEXT.kinds[kind]] as const);
const EMPTY = { named: '', reason: '', until: '' };

function AllowForm({ id, onDone }: { id: string; onDone: () => void }) {
  const allow = useAllow();
  const [kind, setKind] = useState<AllowBody['kind']>('author');
  const [fields, setFields] = useState(EMPTY);
  const [named, reason] = [fields.named.trim(), fields.reason.trim()];
  const submit = () => {
    const ends = fields.until === '' ? {} : { expiresAt: endOfDay(fields.until) };
    void notifyResult(allow.mutateAsync({ id, kind, named, reason, ...ends }).then(onDone), TEXT.added, TEXT.failed);
  };
  const set = (name: keyof typeof EMPTY) => (value: string) => setFields({ ...fields, [name]: value });
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      <ToggleChoice label={TEXT.title} value={kind} options={KINDS} onChange={(next) => next !== null && setKind(next)} />
      <TextField
        fullWidth
        label={TEXT.named[kind]}
        value={fields.named}
        onChange={(event) => set('named')(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 2000 } }}
      />
      <TextField
        fullWidth
        label={TEXT.reason}
        value={fields.reason}
        onChange={(event) => set('reason')(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 2000 } }}
      />
      <DateField label={TEXT.until} value={fields.until} onChange={set('until')} />
      <ActionButton
        small
        variant="contained"
        label={TEXT.save}
        disabled={named === '' || reason === ''}
        loading={allow.isPending}
        onClick={submit}
      />
    </Box>
  );
}

/** Exceptions of a claim: posts that it never stops. */
export function AllowEntries({ claim: { id, allowed, status } }: { claim: Claim }) {
  const end = useEndAllow();
  const [adding, setAdding] = useState(false);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      {allowed.map((entry) => (
        <Stack key={entry.id} direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
          <span>
            {[
              TEXT.entry(entry.kind, entry.key, entry.reason),
              ...(entry.expiresAt === null ? [] : [TEXT.validUntil(formatDateTime(entry.expiresAt))]),
              entry.createdBy,
            ].join(' · ')}
          </span>
          <ActionButton
            small
            variant="text"
            label={TEXT.end}
            loading={end.isPending}
            onClick={() => void notifyResult(end.mutateAsync(entry.id), TEXT.ended, TEXT.failed)}
          />
        </Stack>
      ))}
      {adding ? <AllowForm id={id} onDone={() => setAdding(false)} /> : null}
      {status === 'withdrawn' ? null : (
        <ActionButton small label={adding ? TEXT.cancel : TEXT.add} aria-expanded={adding} onClick={() => setAdding(!adding)} />
      )}
    </Box>
  );
}
