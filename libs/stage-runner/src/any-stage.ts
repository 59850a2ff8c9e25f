import type { Stage } from '@autoposter/contracts';
import type { Failure, RetryRule } from '@autoposter/domain';
import type { StageJob, UnitOfWork } from '@autoposter/persistence';
import type { StageCommit, StageLimits } from './define-stage';
import type { Step } from './define-step';

/* eslint-disable @typescript-eslint/no-explicit-any -- the types were checked where the stage was defined; only its own steps know them */
export type AnyStep = Step<any, any, any>;

/** What the runner works with. */
export interface AnyStage {
  name: Stage;
  limits: StageLimits;
  load(uow: UnitOfWork, job: StageJob): Promise<unknown>;
  steps: readonly AnyStep[];
  commit: StageCommit<any, any>;
  retryRule?(failure: Failure, input: any): RetryRule | undefined;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** A stage with the tools that its steps ask for. */
export interface BoundStage {
  stage: AnyStage;
  tools: unknown;
}
