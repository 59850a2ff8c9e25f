import type { Stage } from '@autoposter/contracts';
import { failSpan, inSpan, type Metrics } from '@autoposter/observability';
import type { StageJob } from '@autoposter/persistence';
import type { StepResult } from './define-step';

/** The span of one attempt. Its parent is the span that requested the job: an HTTP request or the attempt of another stage. */
export function inAttemptSpan<Result extends string>(job: StageJob, attempt: () => Promise<Result>): Promise<Result> {
  const { id, stage, itemId, subjectId, attempts, traceparent } = job;
  const attributes = { 'job.id': id, 'item.id': itemId ?? undefined, 'subject.id': subjectId, attempt: attempts };
  return inSpan(stage, { parent: traceparent, attributes }, async (span) => {
    const result = await attempt();
    span.setAttribute('outcome', result);
    if (result === 'dead' || result === 'lost') failSpan(span, result);
    return result;
  });
}

export const inStepSpan = (job: StageJob, step: string, run: () => Promise<StepResult<unknown>>): Promise<StepResult<unknown>> =>
  inSpan(`${job.stage}.${step}`, {}, async (span) => {
    const result = await run();
    span.setAttribute('outcome', result.kind);
    if ('failure' in result) failSpan(span, result.failure.message);
    return result;
  });

const DURATION_BOUNDARIES = [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Returns a function that records an ended attempt. */
export function stageMetrics(
  stage: Stage,
  metrics: Metrics | undefined,
  running: () => number,
): (outcome: string, seconds: number) => void {
  if (!metrics) return () => undefined;
  const runs = metrics.counter(`pipeline_${stage}_runs_total`, 'Ended attempts, by outcome');
  const duration = metrics.histogram(`pipeline_${stage}_duration_seconds`, 'Duration of one attempt', DURATION_BOUNDARIES);
  metrics.gauge(`pipeline_${stage}_running_jobs`, 'Jobs running in this process', running);
  return (outcome, seconds) => {
    runs.add(1, { outcome });
    duration.record(seconds, { outcome });
  };
}
