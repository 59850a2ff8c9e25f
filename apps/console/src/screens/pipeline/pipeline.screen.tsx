import { STAGES, type Pipeline, type PipelineStage } from '@autoposter/contracts';
import { usePipeline } from '../../data/pipeline/use-pipeline';
import { PIPELINE_TEXT } from '../../text/pipeline.text';
import { LoadState } from '../../ui/feedback';
import { count } from '../../ui/format';
import { Page, Stat, StatGrid } from '../../ui/layout';
import { DeadLetters, Quarantine } from './dead-letters';
import { countUpToLimit, StageCard } from './stage-card';
import { Box } from '../../ui/mui';

function PipelineStatistics({ pipeline }: { pipeline: Pipeline }) {
  const each = (field: 'waiting' | 'running' | 'retrying' | 'deadLetters') => pipeline.stages.map((stage: PipelineStage) => stage[field]);
  const sum = (field: 'retrying' | 'deadLetters') => each(field).reduce((total, one) => total + one, 0);
  const parked = pipeline.outbox.parked ?? 0;
  const trouble = (value: number) => (value > 0 ? { tone: 'red' as const } : {});
  return (
    <StatGrid min={120}>
      <Stat label={PIPELINE_TEXT.numbers.waiting} value={countUpToLimit(...each('waiting'))} />
      <Stat label={PIPELINE_TEXT.numbers.running} value={countUpToLimit(...each('running'))} />
      <Stat
        label={PIPELINE_TEXT.numbers.retrying}
        value={countUpToLimit(...each('retrying'))}
        {...(sum('retrying') > 0 ? { tone: 'orange' as const } : {})}
      />
      <Stat label={PIPELINE_TEXT.numbers.deadLetters} value={count(sum('deadLetters'))} {...trouble(sum('deadLetters'))} />
      <Stat label={PIPELINE_TEXT.numbers.outbox} value={countUpToLimit(pipeline.outbox.waiting)} />
      <Stat label={PIPELINE_TEXT.numbers.refused} value={countUpToLimit(parked)} {...trouble(parked)} />
      <Stat label={PIPELINE_TEXT.numbers.quarantined} value={count(pipeline.quarantined)} {...trouble(pipeline.quarantined)} />
    </StatGrid>
  );
}

/** Of a card without alerts, in pixels. Placeholders of this height keep the panels below nearly in place, and the control that has the focus in view. */
const CARD_HEIGHT = 257;
const STAGE_GRID = { display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))' };

export function PipelineScreen() {
  const pipeline = usePipeline();
  const { data } = pipeline;
  return (
    <Page title={PIPELINE_TEXT.title} lead={PIPELINE_TEXT.lead}>
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <LoadState
          query={pipeline}
          loading={{ rows: STAGES.length, height: CARD_HEIGHT, columns: STAGE_GRID.gridTemplateColumns, label: PIPELINE_TEXT.loading }}
          error={PIPELINE_TEXT.error}
        />
        {data === undefined ? null : (
          <>
            <PipelineStatistics pipeline={data} />
            <Box sx={STAGE_GRID}>
              {data.stages.map((stage) => (
                <StageCard key={stage.stage} stage={stage} />
              ))}
            </Box>
          </>
        )}
        <DeadLetters />
        <Quarantine />
      </Box>
    </Page>
  );
}
