import type { Claim } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { errorText } from '../../data/http/client';
import { useWithdrawClaim } from '../../data/rights/use-claims';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { useConfirm } from '../../ui/confirm-dialog';
import { formatDateTime } from '../../ui/format';
import { notify } from '../../ui/notifications';
import { StatusPill } from '../../ui/status-pill';

export function ClaimRow({ claim, onWithdrawn }: { claim: Claim; onWithdrawn: () => void }) {
  const withdraw = useWithdrawClaim();
  const { confirm, dialog } = useConfirm();
  const submit = () =>
    withdraw.mutate(claim.id, {
      onSuccess: () => {
        notify.success(TEXT.withdrawn);
        onWithdrawn();
      },
      onError: (error) => notify.failure(TEXT.withdrawFailed(errorText(error))),
    });
  const question = {
    question: TEXT.withdrawQuestion,
    detail: `${claim.title}. ${TEXT.withdrawDetail}`,
    confirm: TEXT.withdraw,
    danger: true,
  };
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
        {claim.sourceUrl === null ? null : (
          <Link href={claim.sourceUrl} target="_blank" rel="noreferrer" sx={{ ...STANDALONE_LINK, justifySelf: 'start' }}>
            {claim.sourceUrl}
          </Link>
        )}
        {claim.note === null ? null : <Box sx={{ whiteSpace: 'pre-wrap' }}>{claim.note}</Box>}
        <Box className="tabular" sx={{ color: 'text.secondary', fontSize: 12 }}>
          {TEXT.prints(claim.fingerprints)} · {claim.createdBy} · {formatDateTime(claim.createdAt)}
        </Box>
      </Box>
      <StatusPill status={claim.status === 'active' ? 'active' : 'inactive'} label={TEXT.status[claim.status]} />
      {claim.status === 'active' ? (
        <Button size="small" variant="outlined" loading={withdraw.isPending} onClick={() => confirm(question, submit)}>
          {TEXT.withdraw}
        </Button>
      ) : null}
      {dialog}
    </Box>
  );
}
