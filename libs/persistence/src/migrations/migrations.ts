import * as jobs from './jobs';
import * as publishing from './publishing';
import * as queue from './queue';
import * as rights from './rights';
import * as schema from './schema';
import * as sourcing from './sourcing';
import type { Migration } from './migration';

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  schema.createSchema,
  schema.createBus,
  rights.orderTheRegister,
  rights.indexThePictures,
  publishing.abandonedAttempts,
  jobs.addWorkers,
  jobs.lightenHotPath,
  sourcing.countSkippedPosts,
  queue.orderTheQueue,
  jobs.auditAndIdempotency,
  jobs.runsAndTasks,
  queue.countTheQueue,
  queue.rankTheQueue,
  sourcing.addAiProviders,
  sourcing.shareRequestBudgets,
  sourcing.tellPostsByMedia,
  sourcing.checkPostsAtSource,
  jobs.addRedeemedSignIns,
  jobs.parkOutboxMessages,
  jobs.indexOldRows,
  queue.traceTheQueue,
  jobs.dateRefusedMessages,
  publishing.keepPublishCalls,
  sourcing.keyEarlierPosts,
  jobs.codeReviewReasons,
  jobs.rowsAreTheQueue,
  publishing.keepLateAnswers,
  jobs.addNotifications,
  rights.compareViews,
  rights.extendClaims,
  rights.addRegisterStage,
  rights.answerMatches,
  rights.recordProvenance,
  sourcing.layOutMedia,
  jobs.codeStoredFailures,
  publishing.addInstagramAccounts,
  queue.queuePerAccount,
  publishing.keepCoverTimes,
  publishing.addPublishOptions,
  rights.recordPermissions,
  rights.numberTheRegister,
  rights.markOriginality,
  publishing.keepRightsChecks,
  publishing.checkPublishedPosts,
  rights.indexAnswers,
  rights.allowBesideClaims,
  publishing.compareCaptions,
  jobs.takeTurns,
];
