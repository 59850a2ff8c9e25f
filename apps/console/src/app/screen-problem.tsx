import { mdiAlertOutline } from '@mdi/js';
import Button from '@mui/material/Button';
import { useRouteError } from 'react-router-dom';
import { SCREEN_ERROR_TEXT as TEXT } from '../text/sign-in.text';
import { EmptyState } from '../ui/empty-state';
import { Page } from '../ui/page';

/** A screen that broke inside the frame: the other screens can still be reached. */
export function ScreenProblem() {
  const error = useRouteError();
  return (
    <Page title={TEXT.title}>
      <EmptyState
        icon={mdiAlertOutline}
        title={error instanceof Error ? error.message : TEXT.unknown}
        hint={TEXT.hint}
        action={
          <Button variant="contained" onClick={() => window.location.reload()}>
            {TEXT.again}
          </Button>
        }
      />
    </Page>
  );
}
