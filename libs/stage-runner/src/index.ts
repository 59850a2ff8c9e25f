export { advance, failItem, recordError, type AdvanceAsk, type Advanced } from './advance';
export type { AnyStage, BoundStage } from './any-stage';
export { askAgain } from './ask-again';
export { bindStage } from './bind-stage';
export { captionHash } from './caption-hash';
export { blockClaimedItem, blockItem, claimAgainst, claimed, settleNotOut, showsClaimed } from './claimed';
export { defineStage, type Chain, type StageCommit, type StageDefinition, type StageLimits, type ToolsOf } from './define-stage';
export {
  defineStep,
  done,
  fail,
  skip,
  unknown,
  wait,
  waitingSince,
  type Effect,
  type Skipped,
  type Step,
  type StepContext,
  type StepResult,
} from './define-step';
export { enqueue, postQueuedNow, startPosting, type EnqueueAsk, type Enqueued, type PostingStarted } from './enqueue';
export { armFault, faultPoint, type FaultLabel, type FaultPlace } from './fault-point';
export { fireDue, sweepLost } from './fire-due';
export { keepReporting } from './keep-reporting';
export { leaveQueue } from './leave-queue';
export { LeaderLease, type LeaderLeaseOptions } from './leader-lease';
export { OF_THE_MESSAGE, OutboxRelay, type OutboxRelayOptions } from './outbox-relay';
export { SILENT_AFTER_SECONDS } from './presence';
export { proveWiring, WiringError } from './prove-wiring';
export { deleteCondemned, releaseObjects } from './release-objects';
export { replayDead, type Replayed } from './replay-dead';
export { requestStage, STAGE_ATTEMPTS, type StageAnswer, type StageAsk } from './request-stage';
export { runWorker } from './run-worker';
export {
  askWhetherOut,
  moveAttempt,
  requestReconcile,
  settleFailed,
  settlePublished,
  type PublishedFacts,
  type SettledBy,
} from './settle-attempt';
export { GROUPS, StageHost, type StageHostOptions } from './stage-host';
export { StageRunner, type StageRunnerOptions } from './stage-runner';
export { checksOf, connectSystems, createBus, createObjectStore, NEEDED, processName, type ConnectOptions, type Systems } from './systems';
export { workOnInput } from './work-on-input';
