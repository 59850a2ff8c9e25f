import { useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { signIn, useSession } from '../../data/session/use-session';
import { SIGN_IN_REASONS, SIGN_IN_TEXT } from '../../text/sign-in.text';
import { CentredCard, GoogleButton } from '../../ui/centred-card';
import { Box, Typography } from '../../ui/mui';
import { STAGE_NAMES, type StageProgress } from '../../ui/stage-progress';
import { MessageBar } from '../../ui/feedback';
import { StageBar } from '../../ui/stage-bar';

/** All stages as "todo": this shows the pipeline, not a post. */
const OVERVIEW: StageProgress = { sentence: SIGN_IN_TEXT.stages, segments: STAGE_NAMES.map((name) => ({ name, state: 'todo' })) };

export function LandingScreen() {
  const { user, loading } = useSession();
  const [query] = useSearchParams();
  const problem = SIGN_IN_REASONS[query.get('reason') ?? ''];
  useEffect(() => {
    document.title = 'Autoposter';
  }, []);
  if (!loading && user !== null) return <Navigate to="/admin" replace />;
  if (loading) {
    return (
      <Box component="main" sx={{ minHeight: '100dvh', display: 'grid', placeItems: 'center', color: 'text.secondary' }}>
        <p role="status">{SIGN_IN_TEXT.loading}</p>
      </Box>
    );
  }
  return (
    <CentredCard eyebrow="Autoposter" title={SIGN_IN_TEXT.comingSoon}>
      <Typography sx={{ color: 'text.secondary' }}>{SIGN_IN_TEXT.promise}</Typography>
      <Box sx={{ width: 1 }}>
        <StageBar rail={OVERVIEW} />
      </Box>
      {problem === undefined ? null : <MessageBar tone="orange">{problem}</MessageBar>}
      <GoogleButton onClick={() => signIn()} />
    </CentredCard>
  );
}
