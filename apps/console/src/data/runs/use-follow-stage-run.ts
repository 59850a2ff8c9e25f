import type { Overview, ProcessAllResponse } from '@autoposter/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../http/keys';
import { followStageRun, type RunStage } from './stage-runs';

/** What a run over all ready files does once the server took it on: it shows in the bar at the bottom. */
export function useFollowStageRun(stage: RunStage): (answer: ProcessAllResponse) => void {
  const client = useQueryClient();
  return ({ processed, runId }) => {
    const before = client.getQueryData<Overview>([keys.overview])?.rooms[stage].failed ?? 0;
    followStageRun(stage, processed, before, runId);
    void client.invalidateQueries({ queryKey: [keys.overview] });
  };
}
