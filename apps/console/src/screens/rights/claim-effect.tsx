import type { HeldBack } from '@autoposter/contracts';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { itemPath } from '../../app/paths';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { MessageBar } from '../../ui/feedback';
import { Box, Link } from '../../ui/mui';

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
