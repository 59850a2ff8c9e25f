import type { Claim } from '@autoposter/contracts';
import { notifyResult } from '../../app/notifications/notify-result';
import { errorText } from '../../data/http/client';
import { useChangeClaim, useUploadWork } from '../../data/rights/use-claims';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { ActionButton, FileButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { formatDateTime } from '../../ui/format';
import { Box, Stack } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { StatusPill } from '../../ui/status';
import { AllowEntries } from './allow-entries';
import type { Effect } from './claim-effect';

/** Changes the status after a question. */
function ClaimActions({ claim, onChanged }: { claim: Claim; onChanged: (effect: Effect) => void }) {
  const change = useChangeClaim();
  const { confirm, dialog } = useConfirm();
  const submit = (status: 'active' | 'disputed' | 'withdrawn', said: string) =>
    void change.mutateAsync({ id: claim.id, status }).then(
      ({ data }) => {
        notify.success(said);
        onChanged({ title: claim.title, held: data.held ?? null });
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
        onClick={() => confirm(question, () => submit('withdrawn', TEXT.withdrawn))}
      />
      {dialog}
    </Stack>
  );
}

/** State of the uploaded file; a missing or unreadable one can be uploaded here. */
function WorkState({ id, work }: { id: string; work: NonNullable<Claim['work']> }) {
  const upload = useUploadWork();
  const send = (file: File) => void notifyResult(upload.mutateAsync({ id, file }), TEXT.uploaded, TEXT.uploadFailed);
  const retryable = work.state === 'awaited' || work.state === 'failed';
  return (
    <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      <span>{[TEXT.works[work.state], work.message].filter((part) => part !== null).join(': ')}</span>
      {retryable ? <FileButton small purpose="work" label={TEXT.choose} loading={upload.isPending} onChosen={send} /> : null}
    </Box>
  );
}

export function ClaimRow({ claim, onChanged }: { claim: Claim; onChanged: (effect: Effect) => void }) {
  return (
    <Box
      component="article"
      aria-label={claim.title}
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
          {claim.title}
        </Box>
        <div>
          {claim.claimant}
          {claim.contact === null ? '' : ` · ${claim.contact}`}
        </div>
        {claim.targets.map(({ kind, key }) => (
          <div key={`${kind} ${key}`}>{`${TEXT.identified[kind === 'url' ? 'sourceUrl' : kind].label}: ${key}`}</div>
        ))}
        <AllowEntries claim={claim} />
        {claim.work === null ? null : <WorkState id={claim.id} work={claim.work} />}
        {claim.note === null ? null : <Box sx={{ whiteSpace: 'pre-wrap' }}>{claim.note}</Box>}
        <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
          {[
            TEXT.prints(claim.fingerprints),
            TEXT.scopes[claim.scope],
            ...(claim.noticeReference === null ? [] : [TEXT.notice(claim.noticeReference)]),
            ...(claim.noticeDate === null ? [] : [claim.noticeDate]),
            claim.createdBy,
            formatDateTime(claim.createdAt),
          ].join(' · ')}
        </Box>
      </Box>
      <StatusPill status={claim.status === 'active' ? 'active' : 'inactive'} label={TEXT.status[claim.status]} />
      <ClaimActions claim={claim} onChanged={onChanged} />
    </Box>
  );
}
