export {
  advance,
  assertAdvanced,
  changedMeanwhile,
  failItem,
  ItemRefusal,
  lockItem,
  moveItem,
  recordError,
  requestItemStage,
  resubmit,
  type AdvanceRequest,
  type AdvanceResult,
} from './advance';
export {
  captionHash,
  enqueue,
  removeFromQueue,
  postQueuedNow,
  startPosting,
  type EnqueueRequest,
  type EnqueueResult,
  type StartPostingResult,
} from './enqueue';
export { deleteMarkedObjects, deleteUnreferencedObjects } from './delete-objects';
export { AUTOPOSTER_ACTOR, pausePublishing } from './pause-publishing';
export { replayDeadJob, withResumeFrom, type ReplayResult } from './replay';
export { findingsOf, holdBack, type ClaimFinding } from './hold-back';
export {
  blockItemForClaim,
  blockItem,
  claimedSource,
  findBlockingClaim,
  findClaimNaming,
  findNamingClaims,
  rightsBlocked,
  settleUnpublished,
  type ClaimLookup,
} from './rights-claims';
export {
  lastCallOf,
  settleUnknown,
  transitionAttempt,
  requestReconcile,
  settleFailed,
  settlePublished,
  type PublishedFacts,
  type SettledBy,
} from './settle-attempt';
