import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRouteError } from 'react-router-dom';
import { SCREEN_ERROR_TEXT as TEXT } from '../text/sign-in.text';
import { CentredCard } from '../ui/centred-card';

/** Error boundary outside the shell. Also shown when a chunk is missing after a new version was deployed. */
export function ScreenError() {
  const error = useRouteError();
  return (
    <CentredCard title={TEXT.title}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{error instanceof Error ? error.message : TEXT.unknown}</Typography>
      <Typography sx={{ color: 'text.secondary' }}>{TEXT.hint}</Typography>
      <Button variant="contained" onClick={() => window.location.reload()}>
        {TEXT.again}
      </Button>
    </CentredCard>
  );
}
