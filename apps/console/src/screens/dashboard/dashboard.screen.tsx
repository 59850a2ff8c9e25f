import { mdiAlertOutline, mdiCheck, mdiDotsHorizontal, mdiShieldCheckOutline } from '@mdi/js';
import { RIGHTS_STAGE } from '@autoposter/contracts';
import { errorText } from '../../data/http/client';
import { useDmcaReady, useProcessAllDmca, useProcessDmca } from '../../data/processing/use-processing';
import { useHealth } from '../../data/status/use-status';
import { DASHBOARD_TEXT } from '../../text/dashboard.text';
import { duration } from '../../ui/format';
import { IconTile } from '../../ui/icons';
import { Page, Panel, Stat } from '../../ui/layout';
import { Box, Stack } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { AiCard } from './ai-card';
import { ClearCard } from './clear-data-card';
import { PipelineOverview } from './pipeline-overview';
import { PublishingCard } from './publishing-card';
import { dmcaFile, ReadyCard } from './ready-card';

function DmcaCard() {
  return (
    <ReadyCard
      stage={RIGHTS_STAGE}
      texts={DASHBOARD_TEXT.dmca}
      icon={mdiShieldCheckOutline}
      ready={useDmcaReady()}
      fileOf={dmcaFile}
      one={useProcessDmca()}
      all={useProcessAllDmca()}
      onFailed={(error, run) => notify.failure(run === 'all' ? DASHBOARD_TEXT.dmca.allFailed : errorText(error))}
    />
  );
}

function HealthCard() {
  const health = useHealth();
  const data = health.data;
  // Cached data says nothing about a server that no longer responds.
  const good = data?.status === 'healthy' && !health.isError;
  const checking = health.isPending;
  const tone = checking ? 'grey' : good ? 'green' : 'red';
  const icon = checking ? mdiDotsHorizontal : good ? mdiCheck : mdiAlertOutline;
  return (
    <Panel>
      <Stack
        direction="row"
        role="status"
        aria-label={DASHBOARD_TEXT.health.title}
        sx={{ alignItems: 'center', gap: 4, rowGap: 3, flexWrap: 'wrap', minHeight: 40 }}
      >
        <IconTile path={icon} tone={tone} />
        <Box sx={{ fontSize: 16, fontWeight: 600, flex: '1 1 220px' }}>
          {checking ? DASHBOARD_TEXT.health.checking : good ? DASHBOARD_TEXT.health.good : DASHBOARD_TEXT.health.bad}
        </Box>
        {data === undefined ? null : (
          <Stack component="dl" direction="row" sx={{ m: 0, gap: { xs: 5, sm: 9 }, flexWrap: 'wrap' }}>
            <Stat small label={DASHBOARD_TEXT.health.database} value={data.database} />
            <Stat small label={DASHBOARD_TEXT.health.uptime} value={`${Math.floor(data.uptime)} seconds (${duration(data.uptime)})`} />
          </Stack>
        )}
      </Stack>
    </Panel>
  );
}

export function DashboardScreen() {
  return (
    <Page title={DASHBOARD_TEXT.title} lead="What each stage is doing, and the files that wait for you.">
      <Box sx={{ display: 'grid', gap: 5 }}>
        <PipelineOverview />
        <HealthCard />
        <PublishingCard />
        <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}>
          <DmcaCard />
          <AiCard />
        </Box>
        <ClearCard />
      </Box>
    </Page>
  );
}
