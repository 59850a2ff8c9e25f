import { ITEM_STAGES, type ItemStage, type Overview, QUEUE_STEP, STAGE_LABELS } from '@autoposter/contracts';
import { Link } from 'react-router-dom';
import { useOverview } from '../../data/status/use-status';
import { count } from '../../ui/format';
import { Box, Skeleton, Span } from '../../ui/mui';

interface SegmentFacts {
  name: string;
  value: number;
  running: number;
  failed: number;
  unit: string;
  to: string;
}

const segmentsOf = ({ stages }: Overview): SegmentFacts[] => {
  const ofStage = (stage: ItemStage): SegmentFacts => {
    const { waiting, running, failed } = stages[stage];
    return {
      name: STAGE_LABELS[stage],
      value: waiting + running,
      running,
      failed,
      unit: running > 0 ? `${count(running)} running` : 'waiting',
      to: failed > 0 ? '/admin/urls?status=failed' : '/admin/urls',
    };
  };
  return [
    ...ITEM_STAGES.map(ofStage),
    { name: 'Ready', value: stages.ready, running: 0, failed: 0, unit: 'to review', to: '/admin/processed' },
    { name: QUEUE_STEP.label, value: stages.queued, running: 0, failed: 0, unit: 'scheduled', to: '/admin/instagram-queue' },
    { name: 'Posted', value: stages.posted, running: 0, failed: 0, unit: 'total', to: '/admin/processed' },
  ];
};

function Segment({ segment }: { segment: SegmentFacts }) {
  const quiet = segment.value === 0;
  return (
    <Box
      component={Link}
      to={segment.to}
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
            bgcolor: segment.running > 0 ? 'status.orange.dot' : quiet ? 'line.strong' : 'primary.main',
            opacity: quiet ? 0.5 : 1,
          }}
        />
        {segment.name}
      </Box>
      <Box
        sx={{ fontSize: 28, fontWeight: 640, letterSpacing: '-0.03em', lineHeight: 1.25, color: quiet ? 'text.secondary' : 'text.primary' }}
      >
        {count(segment.value)}
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary', minHeight: 18 }}>
        {segment.unit}
        {segment.failed > 0 ? <Span sx={{ color: 'status.red.text', fontWeight: 600 }}>{` · ${count(segment.failed)} failed`}</Span> : null}
      </Box>
    </Box>
  );
}

export function PipelineOverview() {
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
        : segmentsOf(data).map((segment) => <Segment key={segment.name} segment={segment} />)}
    </Box>
  );
}
