import type { Stage } from '@autoposter/contracts';
import type { Metrics } from '@autoposter/observability';

export interface StageMetrics {
  ended(how: string, seconds: number): void;
}

const DURATION_BOUNDARIES = [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export function stageMetrics(stage: Stage, metrics: Metrics | undefined, running: () => number): StageMetrics {
  if (!metrics) return { ended: () => undefined };
  const runs = metrics.counter(`pipeline_${stage}_runs_total`, 'Ended runs, by how they ended');
  const duration = metrics.histogram(`pipeline_${stage}_duration_seconds`, 'Time of one run', DURATION_BOUNDARIES);
  metrics.gauge(`pipeline_${stage}_running_jobs`, 'Jobs that run in this process', running);
  return {
    ended: (how, seconds) => {
      runs.add(1, { outcome: how });
      duration.record(seconds, { outcome: how });
    },
  };
}
