import { INSTAGRAM_USERNAME, type PermissionView } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { errorText } from '../../data/http/client';
import { useAnswerPermission, useRevokePermission, useUploadProof } from '../../data/rights/use-rights';
import { PERMISSIONS_TEXT as TEXT } from '../../text/takedown.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { FileButton } from '../../ui/file-button';
import { DateField } from '../../ui/fields';
import { endOfDay, formatDateTime } from '../../ui/format';
import { Box, Link, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { StatusPill } from '../../ui/status';

const TONES = { requested: 'orange', granted: 'green', refused: 'red', revoked: 'red', expired: 'grey' } as const;

/** The drafted request, and a form for the answer to it. */
function AnswerForm({ permission: { id, request } }: { permission: PermissionView }) {
  const answer = useAnswerPermission();
  const [fields, setFields] = useState({ answer: '', credit: '', collaborator: '', until: '' });
  const words = fields.answer.trim();
  const credit = fields.credit.trim();
  const collaborator = fields.collaborator.trim().replace(/^@/u, '').toLowerCase();
  const isUsername = collaborator === '' || INSTAGRAM_USERNAME.test(collaborator);
  const send = (granted: boolean) => {
    const terms = {
      ...(credit === '' ? {} : { credit }),
      ...(collaborator === '' ? {} : { collaborator }),
      ...(fields.until === '' ? {} : { expiresAt: endOfDay(fields.until) }),
    };
    const body = { id, granted, answer: words, ...(granted ? terms : {}) };
    void notifyResult(answer.mutateAsync(body), ({ data }) => TEXT.answered(data), TEXT.failed);
  };
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <TextField fullWidth multiline label={TEXT.request} value={request} slotProps={{ htmlInput: { readOnly: true } }} />
      <TextField
        multiline
        label={TEXT.answer}
        value={fields.answer}
        onChange={(event) => setFields({ ...fields, answer: event.target.value })}
        slotProps={{ htmlInput: { maxLength: 4000 } }}
      />
      <Stack direction="row" sx={{ gap: 3, flexWrap: 'wrap' }}>
        <TextField
          label={TEXT.credit}
          value={fields.credit}
          onChange={(event) => setFields({ ...fields, credit: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 200 } }}
        />
        <TextField
          label={TEXT.collaborator}
          value={fields.collaborator}
          error={!isUsername}
          helperText={TEXT.collaboratorHint}
          onChange={(event) => setFields({ ...fields, collaborator: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 40 } }}
        />
        <DateField label={TEXT.until} value={fields.until} onChange={(until) => setFields({ ...fields, until })} />
      </Stack>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        <ActionButton
          small
          variant="contained"
          label={TEXT.grant}
          disabled={words === '' || !isUsername}
          loading={answer.isPending}
          onClick={() => send(true)}
        />
        <ActionButton small label={TEXT.refuse} disabled={words === ''} loading={answer.isPending} onClick={() => send(false)} />
      </Stack>
    </Box>
  );
}

function RevokeForm({ id }: { id: string }) {
  const revoke = useRevokePermission();
  const [reason, setReason] = useState('');
  const send = () =>
    void revoke.mutateAsync({ id, reason: reason.trim() }).then(
      ({ data: { held } }) => notify.success(TEXT.revoked(held?.flagged ?? 0, held?.out.length ?? 0)),
      (error: unknown) => notify.failure(TEXT.failed(errorText(error))),
    );
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
      <TextField
        size="small"
        label={TEXT.reason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 2000 } }}
      />
      <ActionButton small label={TEXT.revoke} disabled={reason.trim() === ''} loading={revoke.isPending} onClick={send} />
    </Stack>
  );
}

export function PermissionRow({ permission }: { permission: PermissionView }) {
  const upload = useUploadProof();
  const {
    id,
    kind,
    key,
    grantor,
    contact,
    status,
    answer,
    credit,
    collaborator,
    proof,
    earlierProofs,
    expiresAt,
    revokeReason,
    createdBy,
    createdAt,
  } = permission;
  const send = (file: File) => void notifyResult(upload.mutateAsync({ id, file }), TEXT.proofAdded, TEXT.failed);
  const about = TEXT.about(kind, key);
  return (
    <Box
      component="article"
      aria-label={about}
      sx={{ px: 5, py: 4, borderTop: 1, borderColor: 'line.main', display: 'grid', gap: 2, fontSize: 13, overflowWrap: 'anywhere' }}
    >
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <strong>{about}</strong>
        <StatusPill status={status} tone={TONES[status]} label={TEXT.statuses[status]} />
      </Stack>
      <div>{[grantor, contact].filter((part) => part !== null).join(' · ')}</div>
      {answer === null ? null : <Box sx={{ whiteSpace: 'pre-wrap' }}>{answer}</Box>}
      {revokeReason === null ? null : <div>{revokeReason}</div>}
      <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
        {[
          credit,
          collaborator === null ? null : TEXT.onlyWith(collaborator),
          expiresAt === null ? null : TEXT.validUntil(formatDateTime(expiresAt)),
          createdBy,
          formatDateTime(createdAt),
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </Box>
      {status === 'requested' || status === 'refused' || status === 'expired' ? <AnswerForm permission={permission} /> : null}
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <FileButton small label={TEXT.proof} purpose="proof" loading={upload.isPending} onChosen={send} />
        {proof === null ? null : (
          <Link href={proof.url} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
            {proof.contentType.startsWith('image/') ? TEXT.openProof : TEXT.downloadProof}
          </Link>
        )}
        {earlierProofs.map(({ url }, index) => (
          <Link key={url} href={url} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
            {TEXT.earlierProof(earlierProofs.length - index)}
          </Link>
        ))}
      </Stack>
      {status === 'granted' ? <RevokeForm id={id} /> : null}
    </Box>
  );
}
