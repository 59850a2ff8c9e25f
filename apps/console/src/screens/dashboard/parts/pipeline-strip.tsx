import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { Link } from 'react-router-dom';
import type { Overview } from '@autoposter/contracts';
import { useOverview } from '../../../data/status/use-status';
import { count } from '../../../ui/format';

interface Room {
  name: string;
  value: number;
  running: number;
  failed: number;
  unit: string;
  to: string;
}

const roomsOf = ({ rooms }: Overview): Room[] => {
  const stage = (name: string, room: Overview['rooms']['download'], to: string): Room => ({
    name,
    value: room.waiting + room.running,
    running: room.running,
    failed: room.failed,
    unit: room.running > 0 ? `${room.running} running` : 'waiting',
    to: room.failed > 0 ? `${to}?status=failed` : to,
  });
  return [
    stage('Download', rooms.download, '/admin/urls'),
    stage('DMCA', rooms.dmca, '/admin/urls'),
    stage('AI', rooms.ai, '/admin/urls'),
    { name: 'Ready', value: rooms.ready, running: 0, failed: 0, unit: 'to look at', to: '/admin/processed' },
    { name: 'Queue', value: rooms.queued, running: 0, failed: 0, unit: 'scheduled', to: '/admin/instagram-queue' },
    { name: 'Posted', value: rooms.posted, running: 0, failed: 0, unit: 'in all', to: '/admin/processed' },
  ];
};

function Segment({ room }: { room: Room }) {
  const quiet = room.value === 0;
  return (
    <Box
      component={Link}
      to={room.to}
      sx={{
        position: 'relative',
        bgcolor: 'background.paper',
        px: 4.5,
        py: 4,
        color: 'text.primary',
        textDecoration: 'none',
        minWidth: 0,
        transition: 'background-color 120ms',
        '&:hover': { bgcolor: 'sunken.main' },
        '&:focus-visible': { outlineOffset: -3 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, fontSize: 12, fontWeight: 580, color: 'text.secondary' }}>
        <Box
          sx={{
            width: 8,
            height: 8,
            borderRadius: 999,
            bgcolor: room.running > 0 ? 'status.orange.dot' : quiet ? 'line.strong' : 'primary.main',
            opacity: quiet ? 0.5 : 1,
          }}
        />
        {room.name}
      </Box>
      <Box
        className="tabular"
        sx={{ fontSize: 28, fontWeight: 640, letterSpacing: '-0.03em', lineHeight: 1.25, color: quiet ? 'text.secondary' : 'text.primary' }}
      >
        {count(room.value)}
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary', minHeight: 18 }}>
        {room.unit}
        {room.failed > 0 ? (
          <Box component="span" sx={{ color: 'status.red.text', fontWeight: 600 }}>
            {` · ${room.failed} failed`}
          </Box>
        ) : null}
      </Box>
    </Box>
  );
}

/** Six joined rooms with what is in them right now. */
export function PipelineStrip() {
  const { data } = useOverview();
  return (
    <Box
      component="nav"
      aria-label="Pipeline"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(3, minmax(0, 1fr))', lg: 'repeat(6, minmax(0, 1fr))' },
        gap: '1px',
        bgcolor: 'line.main',
        border: 1,
        borderColor: 'line.main',
        borderRadius: 2.5,
        overflow: 'hidden',
      }}
    >
      {data === undefined
        ? Array.from({ length: 6 }, (_none, index) => (
            <Box key={index} sx={{ bgcolor: 'background.paper', px: 4.5, py: 4 }}>
              <Skeleton width={64} />
              <Skeleton width={40} height={36} />
              <Skeleton width={56} />
            </Box>
          ))
        : roomsOf(data).map((room) => <Segment key={room.name} room={room} />)}
    </Box>
  );
}
