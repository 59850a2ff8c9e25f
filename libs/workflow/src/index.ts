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
export {
  captionHash,
  enqueue,
  postKindOf,
  publishedBefore,
  removeFromQueue,
  postQueuedNow,
  repostHold,
  startPosting,
  withRequiredCollaborator,
} from './enqueue';
export { deleteMarkedObjects, deleteUnreferencedObjects, discardStored } from './delete-objects';
export { AUTOPOSTER_ACTOR, pausePublishing, strikesStop } from './pause-publishing';
export { type ClaimFinding, dropReviewReasons, findingsOf, holdBack, releasePermitted } from './hold-back';
export { moveCase, openRemovalCase, stopRemovals } from './rights-cases';
export { replayDeadJob, withResumeFrom } from './replay';
export {
  blockItem,
  blockItemForClaim,
  blockingClaim,
  claimedSource,
  type ClaimLookup,
  findCallRefusal,
  findClaimNaming,
  findNamingClaims,
  findPublishingRefusal,
  findUnreviewedMatch,
  recordBlock,
  requestForClaim,
  rightsBlocked,
  settleUnpublished,
} from './rights-claims';
export {
  isPublished,
  lastCallOf,
  settleUnknown,
  transitionAttempt,
  requestReconcile,
  settleFailed,
  settleInApp,
  settlePublished,
} from './settle-attempt';
