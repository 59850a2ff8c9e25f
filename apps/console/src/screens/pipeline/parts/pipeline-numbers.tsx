import type { Pipeline, PipelineStage } from '@autoposter/contracts';
import { PIPELINE_TEXT } from '../../../text/pipeline.text';
import { count } from '../../../ui/format';
import { Stat, StatGrid } from '../../../ui/stat';

const TEXT = PIPELINE_TEXT.numbers;

/** All stages together, and what stands between them. */
export function PipelineNumbers({ pipeline }: { pipeline: Pipeline }) {
  const sum = (field: 'waiting' | 'running' | 'retrying' | 'deadLetters') =>
    pipeline.stages.reduce((total: number, stage: PipelineStage) => total + stage[field], 0);
  const trouble = (value: number) => (value > 0 ? { tone: 'red' as const } : {});
  return (
    <StatGrid min={120}>
      <Stat label={TEXT.waiting} value={count(sum('waiting'))} />
      <Stat label={TEXT.running} value={count(sum('running'))} />
      <Stat label={TEXT.retrying} value={count(sum('retrying'))} {...(sum('retrying') > 0 ? { tone: 'orange' as const } : {})} />
      <Stat label={TEXT.deadLetters} value={count(sum('deadLetters'))} {...trouble(sum('deadLetters'))} />
      <Stat label={TEXT.outbox} value={count(pipeline.outbox.waiting)} />
      <Stat label={TEXT.refused} value={count(pipeline.outbox.parked ?? 0)} {...trouble(pipeline.outbox.parked ?? 0)} />
      <Stat label={TEXT.quarantined} value={count(pipeline.quarantined)} {...trouble(pipeline.quarantined)} />
    </StatGrid>
  );
}
