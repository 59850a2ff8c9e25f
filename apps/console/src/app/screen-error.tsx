import { mdiAlertOutline } from '@mdi/js';
import Button from '@mui/material/Button';
import { useRouteError } from 'react-router-dom';
import { EmptyState } from '../ui/empty-state';
import { Page } from '../ui/page';

/** A screen that broke, or whose code is gone because a newer version was installed. */
export function ScreenError() {
  const error = useRouteError();
  return (
    <Page title="This screen could not be shown">
      <EmptyState
        icon={mdiAlertOutline}
        title={error instanceof Error ? error.message : 'Something unexpected happened'}
        hint="Loading the page again fetches the newest version."
        action={
          <Button variant="contained" onClick={() => window.location.reload()}>
            Load again
          </Button>
        }
      />
    </Page>
  );
}
