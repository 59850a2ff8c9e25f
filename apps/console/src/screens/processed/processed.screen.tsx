import { mdiAlertOutline, mdiImageMultipleOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useCompleted } from '../../data/completed/use-completed';
import { errorText } from '../../data/http/client';
import { useInstagramConfig } from '../../data/publishing/use-instagram';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { EmptyState } from '../../ui/empty-state';
import { LoadingRows } from '../../ui/loading-rows';
import { MessageBar } from '../../ui/message-bar';
import { Page } from '../../ui/page';
import { AnalysisDialog } from './parts/analysis-dialog';
import { DetailsDialog } from './parts/details-dialog';
import { PosterWall } from './parts/poster-wall';
import { Reels } from './parts/reels';
import { useProcessedAddress, type ProcessedView } from './processed.url';

const Steps = () => (
  <Box component="ol" sx={{ m: 0, mt: 1, pl: 5, textAlign: 'left', display: 'inline-block' }}>
    {TEXT.steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </Box>
);

/** Captioned posts: look at them, edit, queue, post or discard. */
export function ProcessedScreen() {
  const completed = useCompleted();
  const config = useInstagramConfig();
  const [address, change] = useProcessedAddress();
  const items = completed.data ?? [];
  const configured = config.data?.isConfigured;
  const selected = items.find((item) => item.id === address.item) ?? null;
  const open = (dialog: 'details' | 'analysis') => (id: string) => change({ item: id, dialog });
  const close = () => change({ dialog: null, ...(address.view === 'grid' ? { item: null } : {}) });
  return (
    <Page
      title={TEXT.title}
      lead={completed.isSuccess ? TEXT.ready(items.length) : undefined}
      actions={
        <>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={address.view}
            aria-label="View"
            onChange={(_event, view: ProcessedView | null) => view !== null && change({ view, item: null })}
          >
            <ToggleButton value="grid">{TEXT.grid}</ToggleButton>
            <ToggleButton value="reels">{TEXT.reels}</ToggleButton>
          </ToggleButtonGroup>
          <Button variant="outlined" disabled={completed.isFetching} onClick={() => void completed.refetch()}>
            {TEXT.refresh}
          </Button>
        </>
      }
    >
      {configured === false ? (
        <Box sx={{ mb: 5 }}>
          <MessageBar tone="orange">{TEXT.notConfigured}</MessageBar>
        </Box>
      ) : null}
      {completed.isPending ? (
        <LoadingRows rows={8} height={380} label={TEXT.loading} columns="repeat(auto-fill, minmax(232px, 1fr))" />
      ) : null}
      {completed.isError ? (
        <EmptyState
          icon={mdiAlertOutline}
          title={TEXT.loadError}
          hint={errorText(completed.error)}
          action={
            <Button variant="contained" onClick={() => void completed.refetch()}>
              {TEXT.tryAgain}
            </Button>
          }
        />
      ) : null}
      {completed.isSuccess && items.length === 0 ? <EmptyState icon={mdiImageMultipleOutline} title={TEXT.empty} hint={<Steps />} /> : null}
      {items.length > 0 && address.view === 'grid' ? (
        <PosterWall items={items} configured={configured} onDetails={open('details')} onAnalysis={open('analysis')} />
      ) : null}
      {items.length > 0 && address.view === 'reels' ? (
        <Reels
          items={items}
          configured={configured}
          item={address.item}
          onItem={(item) => change({ item })}
          onClose={() => change({ view: 'grid', item: null })}
          onDetails={open('details')}
        />
      ) : null}
      {address.dialog === 'details' && selected !== null ? <DetailsDialog item={selected} onClose={close} /> : null}
      {address.dialog === 'analysis' && selected !== null ? <AnalysisDialog item={selected} onClose={close} /> : null}
    </Page>
  );
}
