export { advance, askAgain, failItem, recordError, type AdvanceAsk, type Advanced } from './advance';
export {
  captionHash,
  enqueue,
  leaveQueue,
  postQueuedNow,
  startPosting,
  type EnqueueAsk,
  type Enqueued,
  type PostingStarted,
} from './enqueue';
export { deleteCondemned, releaseObjects } from './release-objects';
export { replayDead, workOnInput, type Replayed } from './replay';
export { blockClaimedItem, blockItem, claimAgainst, claimed, settleNotOut, showsClaimed } from './rights-claims';
export {
  askWhetherOut,
  moveAttempt,
  requestReconcile,
  settleFailed,
  settlePublished,
  type PublishedFacts,
  type SettledBy,
} from './settle-attempt';
