import { useState } from 'react';
import { type AllowBody, type Claim, CLAIM_TARGETS } from '@autoposter/contracts';
import { notifyResult } from '../../app/notifications/notify-result';
import { errorText } from '../../data/http/client';
import { useAllow, useChangeClaim, useEndAllow, useFetchWork, useUploadWork } from '../../data/rights/use-rights';
import { ALLOW_TEXT, RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { ActionButton } from '../../ui/actions';
import { FileButton } from '../../ui/file-button';
import { useConfirm } from '../../ui/dialogs';
import { endOfDay, formatDateTime, titleText } from '../../ui/format';
import { Box, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { StatusPill } from '../../ui/status';
import type { Effect } from './claim-effect';
import { DateField, ToggleChoice } from '../../ui/fields';

/** Changes the status after a question. */
function ClaimActions({ claim, onChanged }: { claim: Claim; onChanged: (effect: Effect) => void }) {
  const change = useChangeClaim();
  const { confirm, dialog } = useConfirm();
  const submit = (status: 'active' | 'disputed' | 'withdrawn', said: string) =>
    void change.mutateAsync({ id: claim.id, status }).then(
      ({ data }) => {
        notify.success(said);
        const effect = status === 'active' ? data.held : status;
        if (effect !== undefined) onChanged({ title: claim.title, change: effect });
      },
      (error: unknown) => notify.failure(TEXT.changeFailed(errorText(error))),
    );
  if (claim.status === 'withdrawn') return null;
  const detail = `${claim.title}. ${TEXT.withdrawDetail}`;
  const question = { question: TEXT.withdrawQuestion, detail, confirm: TEXT.withdraw, danger: true };
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
      {claim.status === 'active' ? (
        <ActionButton small label={TEXT.dispute} loading={change.isPending} onClick={() => submit('disputed', TEXT.disputed)} />
      ) : (
        <ActionButton small label={TEXT.reactivate} loading={change.isPending} onClick={() => submit('active', TEXT.reactivated)} />
      )}
      <ActionButton
        small
        label={TEXT.withdraw}
        loading={change.isPending}
        onClick={() => confirm(question, () => submit('withdrawn', TEXT.ended.withdrawn))}
      />
      {dialog}
    </Stack>
  );
}

/** State of the files of the work; one that is missing or unreadable can be uploaded here, one that was not fetched is fetched again. */
function WorkState({ claim: { id, status }, work }: { claim: Claim; work: NonNullable<Claim['work']> }) {
  const upload = useUploadWork();
  const fetch = useFetchWork();
  const send = (file: File) => void notifyResult(upload.mutateAsync({ id, file }), TEXT.uploaded, TEXT.uploadFailed);
  const { state, message, files = 0, missed = [], unreadable = [] } = work;
  const said = state === 'fingerprinted' && files > 1 ? TEXT.manyFiles(files) : TEXT.works[state];
  const isOver = status === 'withdrawn';
  const lacksFile = state === 'awaited' || state === 'failed';
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      <span>{[said, missed.length > 0 && lacksFile ? null : message].filter((part) => part !== null).join(': ')}</span>
      {missed.map((one) => (
        <span key={`${one.url} ${one.message}`}>{TEXT.missed(one.url, one.message)}</span>
      ))}
      {state === 'fingerprinted' ? unreadable.map((one) => <span key={one.sha256}>{TEXT.unreadable(one.message)}</span>) : null}
      {isOver ? null : (
        <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
          {lacksFile ? <FileButton small purpose="work" label={TEXT.choose} loading={upload.isPending} onChosen={send} /> : null}
          {missed.length > 0 ? (
            <ActionButton
              small
              label={TEXT.fetchAgain}
              loading={fetch.isPending}
              disabled={state === 'stored'}
              onClick={() => void notifyResult(fetch.mutateAsync(id), TEXT.fetching, TEXT.fetchFailed)}
            />
          ) : null}
        </Stack>
      )}
    </Box>
  );
}

export function ClaimRow({ claim, onChanged }: { claim: Claim; onChanged: (effect: Effect) => void }) {
  return (
    <Box
      component="article"
      aria-label={titleText(claim.title)}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'flex-start',
        gap: 3,
        px: 5,
        py: 4,
        borderTop: 1,
        borderColor: 'line.main',
        overflowWrap: 'anywhere',
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0, display: 'grid', gap: 1.5, fontSize: 13 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          {titleText(claim.title)}
        </Box>
        <div>
          {claim.claimant}
          {claim.contact === null ? '' : ` · ${claim.contact}`}
        </div>
        {claim.targets.map(({ kind, key }) => (
          <div key={`${kind} ${key}`}>{`${TEXT.identified[kind === 'url' ? 'sourceUrl' : kind].label}: ${key}`}</div>
        ))}
        <AllowEntries claim={claim} />
        {claim.work === null ? null : <WorkState claim={claim} work={claim.work} />}
        {claim.statusNote === null ? null : <Box sx={{ whiteSpace: 'pre-wrap' }}>{claim.statusNote}</Box>}
        {claim.note === null ? null : <Box sx={{ whiteSpace: 'pre-wrap' }}>{claim.note}</Box>}
        <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
          {[
            TEXT.prints(claim.fingerprints),
            TEXT.scopes[claim.scope],
            ...(claim.noticeReference === null ? [] : [TEXT.notice(claim.noticeReference)]),
            ...(claim.noticeDate === null ? [] : [claim.noticeDate]),
            ...(claim.expiresAt === null ? [] : [TEXT.ends(claim.status, formatDateTime(claim.expiresAt))]),
            claim.createdBy,
            formatDateTime(claim.createdAt),
          ].join(' · ')}
        </Box>
      </Box>
      <StatusPill status={claim.status} label={TEXT.status[claim.status]} />
      <ClaimActions claim={claim} onChanged={onChanged} />
    </Box>
  );
}

const KINDS = CLAIM_TARGETS.map((kind) => [kind, ALLOW_TEXT.kinds[kind]] as const);
const EMPTY = { named: '', reason: '', until: '' };

function AllowForm({ id, onDone }: { id: string; onDone: () => void }) {
  const allow = useAllow();
  const [kind, setKind] = useState<AllowBody['kind']>('author');
  const [fields, setFields] = useState(EMPTY);
  const [named, reason] = [fields.named.trim(), fields.reason.trim()];
  const submit = () => {
    const ends = fields.until === '' ? {} : { expiresAt: endOfDay(fields.until) };
    void notifyResult(allow.mutateAsync({ id, kind, named, reason, ...ends }).then(onDone), ALLOW_TEXT.added, ALLOW_TEXT.failed);
  };
  const set = (name: keyof typeof EMPTY) => (value: string) => setFields({ ...fields, [name]: value });
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      <ToggleChoice label={ALLOW_TEXT.title} value={kind} options={KINDS} onChange={(next) => next !== null && setKind(next)} />
      <TextField
        fullWidth
        label={ALLOW_TEXT.named[kind]}
        value={fields.named}
        onChange={(event) => set('named')(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 2000 } }}
      />
      <TextField
        fullWidth
        label={ALLOW_TEXT.reason}
        value={fields.reason}
        onChange={(event) => set('reason')(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 2000 } }}
      />
      <DateField label={ALLOW_TEXT.until} value={fields.until} onChange={set('until')} />
      <ActionButton
        small
        variant="contained"
        label={ALLOW_TEXT.save}
        disabled={named === '' || reason === ''}
        loading={allow.isPending}
        onClick={submit}
      />
    </Box>
  );
}

/** Exceptions of a claim: posts that it never stops. */
function AllowEntries({ claim: { id, allowed, status } }: { claim: Claim }) {
  const end = useEndAllow();
  const [adding, setAdding] = useState(false);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      {allowed.map((entry) => (
        <Stack key={entry.id} direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
          <span>
            {[
              ALLOW_TEXT.entry(entry.kind, entry.key, entry.reason),
              ...(entry.expiresAt === null ? [] : [ALLOW_TEXT.validUntil(formatDateTime(entry.expiresAt))]),
              entry.createdBy,
            ].join(' · ')}
          </span>
          <ActionButton
            small
            variant="text"
            label={ALLOW_TEXT.end}
            loading={end.isPending}
            onClick={() => void notifyResult(end.mutateAsync(entry.id), ALLOW_TEXT.ended, ALLOW_TEXT.failed)}
          />
        </Stack>
      ))}
      {adding ? <AllowForm id={id} onDone={() => setAdding(false)} /> : null}
      {status === 'withdrawn' ? null : (
        <ActionButton small label={adding ? ALLOW_TEXT.cancel : ALLOW_TEXT.add} aria-expanded={adding} onClick={() => setAdding(!adding)} />
      )}
    </Box>
  );
}
