import { mdiAlertOutline, mdiCheck, mdiDotsHorizontal } from '@mdi/js';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useHealth } from '../../../data/status/use-status';
import { DASHBOARD_TEXT } from '../../../text/dashboard.text';
import { duration } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { Panel } from '../../../ui/panel';

const TEXT = DASHBOARD_TEXT.health;

const Fact = ({ name, value }: { name: string; value: string }) => (
  <Box>
    <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
    <Box className="tabular" sx={{ fontWeight: 580 }}>
      {value}
    </Box>
  </Box>
);

export function HealthCard() {
  const health = useHealth();
  const data = health.data;
  // What was healthy before the server went away is no longer known to be.
  const good = data?.status === 'healthy' && !health.isError;
  const checking = health.isPending;
  const tone = checking ? 'grey' : good ? 'green' : 'red';
  const icon = checking ? mdiDotsHorizontal : good ? mdiCheck : mdiAlertOutline;
  return (
    <Panel>
      <Stack
        direction="row"
        role="status"
        aria-label={TEXT.title}
        sx={{ alignItems: 'center', gap: 4, rowGap: 3, flexWrap: 'wrap', minHeight: 40 }}
      >
        <Box
          sx={{
            width: 36,
            height: 36,
            borderRadius: 2.5,
            display: 'grid',
            placeItems: 'center',
            bgcolor: `status.${tone}.tint`,
            color: `status.${tone}.text`,
          }}
        >
          <Icon path={icon} />
        </Box>
        <Box sx={{ fontSize: 16, fontWeight: 600, flex: '1 1 220px' }}>{checking ? TEXT.checking : good ? TEXT.good : TEXT.bad}</Box>
        {data === undefined ? null : (
          <Stack direction="row" sx={{ gap: { xs: 5, sm: 9 }, flexWrap: 'wrap' }}>
            <Fact name={TEXT.database} value={data.database} />
            <Fact name={TEXT.uptime} value={`${Math.floor(data.uptime)} seconds (${duration(data.uptime)})`} />
          </Stack>
        )}
      </Stack>
    </Panel>
  );
}
