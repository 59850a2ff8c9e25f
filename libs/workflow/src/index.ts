export {
  advance,
  type AdvanceRequest,
  assertAdvanced,
  changedMeanwhile,
  failItem,
  ItemRefusal,
  lockItem,
  moveItem,
  recordError,
  requestItemStage,
  resubmit,
} from './advance';
export { captionHash, enqueue, postKindOf, removeFromQueue, postQueuedNow, startPosting, withRequiredCollaborator } from './enqueue';
export { deleteMarkedObjects, deleteUnreferencedObjects } from './delete-objects';
export { AUTOPOSTER_ACTOR, pausePublishing } from './pause-publishing';
export { dropReviewReasons, releasePermitted } from './release-permitted';
export { replayDeadJob, withResumeFrom } from './replay';
export { requestForClaim } from './request-for-claim';
export { findingsOf, holdBack, moveCase, type ClaimFinding } from './hold-back';
export {
  blockItemForClaim,
  blockItem,
  claimedSource,
  findPublishingRefusal,
  findClaimNaming,
  findNamingClaims,
  recordBlock,
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
  settleInApp,
  settlePublished,
} from './settle-attempt';
