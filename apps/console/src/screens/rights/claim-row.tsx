import type { Claim, HeldBack } from '@autoposter/contracts';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { notifyResult } from '../../app/notifications/notify-result';
import { itemPath } from '../../app/paths';
import { useWithdrawClaim } from '../../data/rights/use-claims';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { MessageBar } from '../../ui/feedback';
import { formatDateTime } from '../../ui/format';
import { Box, Link } from '../../ui/mui';
import { StatusPill } from '../../ui/status';

/** Effect of a new or withdrawn claim on collected posts. `held` is null for a withdrawn claim. */
export interface Effect {
  title: string;
  held: HeldBack | null;
}

function Held({ held: { blocked, flagged, out } }: { held: HeldBack }) {
  if (blocked + flagged + out.length === 0) return <Box>{TEXT.noneHeld}</Box>;
  return (
    <>
      {blocked === 0 ? null : <Box>{TEXT.blocked(blocked)}</Box>}
      {flagged === 0 ? null : <Box>{TEXT.flagged(flagged)}</Box>}
      {out.length === 0 ? null : (
        <Box>
          {TEXT.out}
          <Box component="ul" sx={{ m: 0, pl: 5 }}>
            {out.map(({ id, title }) => (
              <li key={id}>
                <Link component={RouterLink} to={itemPath(id)} sx={STANDALONE_LINK}>
                  {title}
                </Link>
              </li>
            ))}
          </Box>
        </Box>
      )}
    </>
  );
}

const RunAgainHint = (): ReactNode => (
  <Box>
    {TEXT.runAgain}{' '}
    <Link component={RouterLink} to="/admin/urls?status=failed">
      {TEXT.toDownloads}
    </Link>
  </Box>
);

/** Stays until closed: the administrator has to act on the listed posts. */
export function ClaimEffect({ effect: { title, held }, onClose }: { effect: Effect; onClose: () => void }) {
  return (
    <MessageBar
      tone={held !== null && held.out.length > 0 ? 'red' : held !== null && held.blocked + held.flagged > 0 ? 'orange' : 'blue'}
      action={<ActionButton small label={TEXT.close} color="inherit" onClick={onClose} />}
    >
      <strong>{`${held === null ? TEXT.withdrawn : TEXT.effect}: ${title}`}</strong>
      {held === null ? <RunAgainHint /> : <Held held={held} />}
    </MessageBar>
  );
}

export function ClaimRow({ claim, onWithdrawn }: { claim: Claim; onWithdrawn: () => void }) {
  const withdraw = useWithdrawClaim();
  const { confirm, dialog } = useConfirm();
  const submit = () =>
    void notifyResult(withdraw.mutateAsync(claim.id), TEXT.withdrawn, TEXT.withdrawFailed).then((done) => done && onWithdrawn());
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
        <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
          {TEXT.prints(claim.fingerprints)} · {claim.createdBy} · {formatDateTime(claim.createdAt)}
        </Box>
      </Box>
      <StatusPill status={claim.status === 'active' ? 'active' : 'inactive'} label={TEXT.status[claim.status]} />
      {claim.status === 'active' ? (
        <ActionButton small label={TEXT.withdraw} loading={withdraw.isPending} onClick={() => confirm(question, submit)} />
      ) : null}
      {dialog}
    </Box>
  );
}
