export {
  bindStage,
  defineStage,
  type AnyStage,
  type BoundStage,
  type Chain,
  type StageCommit,
  type StageDefinition,
  type StageLimits,
  type ToolsOf,
} from './define-stage';
export {
  defineStep,
  done,
  fail,
  isCheckpoint,
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
export { armFault, faultPoint, type FaultLabel, type FaultPlace } from './fault-point';
export { CONSUMER_GROUPS, type JobBus, MessageJobBus, PostgresJobBus } from './job-bus';
export { LeaderLease, type LeaderLeaseOptions } from './leader-lease';
export { MESSAGE_FAILURES, OutboxRelay, type OutboxRelayOptions } from './outbox-relay';
export { proveWiring, WiringError } from './prove-wiring';
export { fireDue, requestStage, sweepLost, type StageRequestResult, type StageRequestOptions } from './request-stage';
export { runWorker } from './run-worker';
export { StageRunner, type StageRunnerOptions } from './stage-runner';
export {
  checksOf,
  connectSystems,
  createBus,
  createObjectStore,
  openDatabase,
  reportDaily,
  REQUIRED_SYSTEMS,
  processName,
  type ConnectOptions,
  type Systems,
} from './systems';
export { SILENT_AFTER_SECONDS } from './worker-heartbeat';
export { WorkerHost, type WorkerHostOptions } from './worker-host';
