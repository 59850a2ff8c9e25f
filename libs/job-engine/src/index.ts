export { bindStage, defineStage, type AnyStage, type BoundStage, type StageCommit } from './define-stage';
export {
  defineStep,
  done,
  fail,
  isCheckpoint,
  skip,
  unknown,
  wait,
  waitingSince,
  type Skipped,
  type Step,
  type StepContext,
  type StepResult,
} from './define-step';
export { armFault, faultPoint, type FaultLabel, type FaultPlace } from './fault-point';
export { GroupCommit } from './group-commit';
export { CONSUMER_GROUPS, type JobBus, messageJobBus, postgresJobBus } from './job-bus';
export { LeaderLease } from './leader-lease';
export { ageOf, LostLease, leaseInstant } from './lease';
export { MESSAGE_FAILURES } from './outbox-relay';
export { fireDue, requestStage, sweepLost } from './request-stage';
export { runWorker } from './run-worker';
export { StageRunner, type StageRunnerOptions } from './stage-runner';
export { checksOf, createBus, createObjectStore, openDatabase, reportDaily, REQUIRED_SYSTEMS, processName, type Systems } from './systems';
export { SILENT_AFTER_SECONDS } from './worker-heartbeat';
