import Box from '@mui/material/Box';
import { DASHBOARD_TEXT } from '../../text/dashboard.text';
import { Page } from '../../ui/page';
import { AiCard } from './parts/ai-card';
import { ClearCard } from './parts/clear-card';
import { DmcaCard } from './parts/dmca-card';
import { HealthCard } from './parts/health-card';
import { PipelineStrip } from './parts/pipeline-strip';
import { PublishingCard } from './parts/publishing-card';

/** Where every post stands, and what can be set going by hand. */
export function DashboardScreen() {
  return (
    <Page title={DASHBOARD_TEXT.title} lead="Posts flow from left to right. Whatever waits for you is listed below.">
      <Box sx={{ display: 'grid', gap: 5 }}>
        <PipelineStrip />
        <HealthCard />
        <PublishingCard />
        <Box
          sx={{
            display: 'grid',
            gap: 5,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          <DmcaCard />
          <AiCard />
        </Box>
        <ClearCard />
      </Box>
    </Page>
  );
}
