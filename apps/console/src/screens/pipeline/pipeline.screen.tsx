import Box from '@mui/material/Box';
import { errorText } from '../../data/http/client';
import { usePipeline } from '../../data/pipeline/use-pipeline';
import { PIPELINE_TEXT as TEXT } from '../../text/pipeline.text';
import { LoadErrorState } from '../../ui/empty-state';
import { LoadingRows } from '../../ui/loading-rows';
import { Page } from '../../ui/page';
import { DeadLetters } from './parts/dead-letters';
import { PipelineNumbers } from './parts/pipeline-numbers';
import { Quarantine } from './parts/quarantine';
import { StageTile } from './parts/stage-tile';

const TILES = { display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))' };

/** The inside of the pipeline: every stage with its work and workers, what was given up, and what could not be read. */
export function PipelineScreen() {
  const pipeline = usePipeline();
  const { data } = pipeline;
  return (
    <Page title={TEXT.title} lead={TEXT.lead}>
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {pipeline.isPending ? <LoadingRows rows={6} height={190} columns={TILES.gridTemplateColumns} label={TEXT.loading} /> : null}
        {data === undefined && pipeline.isError ? (
          <LoadErrorState title={TEXT.error(errorText(pipeline.error))} onRetry={() => void pipeline.refetch()} />
        ) : null}
        {data === undefined ? null : (
          <>
            <PipelineNumbers pipeline={data} />
            <Box sx={TILES}>
              {data.stages.map((stage) => (
                <StageTile key={stage.stage} stage={stage} />
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
