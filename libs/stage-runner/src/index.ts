export { advance, failItem, type AdvanceAsk, type Advanced } from './advance';
export { captionHash } from './caption-hash';
export { captionProblems, composeCaption } from './compose-caption';
export { defineStage, type Chain, type StageCommit, type StageDefinition, type StageLimits, type ToolsOf } from './define-stage';
export { defineStep, done, fail, skip, unknown, wait, type Effect, type Step, type StepContext, type StepResult } from './define-step';
export { enqueue, hashOfFiles, startPosting, type EnqueueAsk, type Enqueued, type PostingStarted } from './enqueue';
export { announce, requestStage, STAGE_ATTEMPTS, type StageAnswer, type StageAsk } from './request-stage';
