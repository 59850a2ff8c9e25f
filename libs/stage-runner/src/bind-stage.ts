import type { AnyStage, BoundStage } from './any-stage';
import type { StageDefinition, ToolsOf } from './define-stage';
import type { Step } from './define-step';

/** Gives a stage its tools; a missing tool does not compile. */
export function bindStage<Input, const Steps extends readonly Step<never, unknown, never>[]>(
  stage: StageDefinition<Input, Steps>,
  tools: ToolsOf<Steps>,
): BoundStage {
  return { stage: stage as unknown as AnyStage, tools };
}
