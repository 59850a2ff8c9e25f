import { useNavigate, useSearchParams } from 'react-router-dom';
import { signIn } from '../../data/session/use-session';
import { DENIED_TEXT, SIGN_IN_REASONS } from '../../text/sign-in.text';
import { ActionButton } from '../../ui/actions';
import { CentredCard } from '../../ui/centred-card';
import { Box, Typography } from '../../ui/mui';

/** A masked e-mail as the server sends it. Anyone can craft a link to this page, so no other text is displayed. */
const MASKED = /^[^\s@*]{1,2}\*{3}[^\s@*]?@[\p{L}\p{N}.-]{1,253}$/u;

export function AccessDeniedScreen() {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const reason = SIGN_IN_REASONS[query.get('reason') ?? ''];
  const email = query.get('email') ?? '';
  return (
    <CentredCard eyebrow={DENIED_TEXT.subtitle} title={DENIED_TEXT.title}>
      <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        <Typography>{DENIED_TEXT.sentence}</Typography>
        {MASKED.test(email) ? <Typography sx={{ mt: 2 }}>{DENIED_TEXT.refused(email)}</Typography> : null}
        {reason === undefined ? null : <Typography sx={{ mt: 2 }}>{reason}</Typography>}
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 5, display: 'grid', gap: 1.5 }}>
        {DENIED_TEXT.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <ActionButton label={DENIED_TEXT.back} variant="contained" onClick={() => void navigate('/')} />
        <ActionButton label={DENIED_TEXT.other} onClick={() => signIn()} />
      </Box>
    </CentredCard>
  );
}
