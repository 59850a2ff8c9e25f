import type { HeldBack } from '@autoposter/contracts';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { itemPath } from '../../app/paths';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { MessageBar } from '../../ui/feedback';
import { titleText } from '../../ui/format';
import { Box, Link } from '../../ui/mui';

/** What a claim that stops posts holds back, or that it no longer stops posts. */
export interface Effect {
  title: string;
  change: HeldBack | keyof typeof TEXT.ended;
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
                  {titleText(title)}
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

const toneOf = ({ out, blocked, flagged }: HeldBack) => (out.length > 0 ? 'red' : blocked + flagged > 0 ? 'orange' : 'blue');

/** Stays until closed: the administrator has to act on the listed posts. */
export function ClaimEffect({ effect: { title, change }, onClose }: { effect: Effect; onClose: () => void }) {
  const isOver = typeof change === 'string';
  return (
    <MessageBar
      tone={isOver ? 'blue' : toneOf(change)}
      action={<ActionButton small label={TEXT.close} color="inherit" onClick={onClose} />}
    >
      <strong>{`${isOver ? TEXT.ended[change] : TEXT.effect}: ${titleText(title)}`}</strong>
      {isOver ? <RunAgainHint /> : <Held held={change} />}
    </MessageBar>
  );
}
