import type { MigrationInterface } from 'typeorm';
import { CreateSchema1763700000000 } from './1763700000000-create-schema';
import { CreateBus1763700000001 } from './1763700000001-create-bus';
import { OrderTheRegister1763740000000 } from './1763740000000-order-the-register';
import { IndexThePictures1763740000001 } from './1763740000001-index-the-pictures';
import { AbandonedAttempts1763741000000 } from './1763741000000-abandoned-attempts';
import { AddWorkers1763742000000 } from './1763742000000-add-workers';
import { LightenHotPath1763743000000 } from './1763743000000-lighten-hot-path';
import { CountSkippedPosts1763743000001 } from './1763743000001-count-skipped-posts';
import { OrderTheQueue1763743000002 } from './1763743000002-order-the-queue';
import { AuditAndIdempotency1763744000000 } from './1763744000000-audit-and-idempotency';
import { RunsAndTasks1763745000000 } from './1763745000000-runs-and-tasks';
import { CountTheQueue1763745000001 } from './1763745000001-count-the-queue';
import { RankTheQueue1763746000000 } from './1763746000000-rank-the-queue';
import { AddAiProviders1763750000020 } from './1763750000020-add-ai-providers';
import { ShareRequestBudgets1763750000030 } from './1763750000030-share-request-budgets';
import { TellPostsByMedia1763750000031 } from './1763750000031-tell-posts-by-media';
import { CheckPostsAtSource1763750000032 } from './1763750000032-check-posts-at-source';
import { AddRedeemedSignIns1763750000040 } from './1763750000040-add-redeemed-sign-ins';
import { ParkOutboxMessages1763750000050 } from './1763750000050-park-outbox-messages';
import { IndexOldRows1763750000070 } from './1763750000070-index-old-rows';
import { TraceTheQueue1763750000071 } from './1763750000071-trace-the-queue';
import { DateRefusedMessages1763750000091 } from './1763750000091-date-refused-messages';
import { KeepPublishCalls1763750000100 } from './1763750000100-keep-publish-calls';
import { KeyEarlierPosts1763750000105 } from './1763750000105-key-earlier-posts';
import { CodeReviewReasons1763750000110 } from './1763750000110-code-review-reasons';
import { RowsAreTheQueue1763750000120 } from './1763750000120-rows-are-the-queue';
import { KeepLateAnswers1763750000140 } from './1763750000140-keep-late-answers';
import { AddNotifications1763750000141 } from './1763750000141-add-notifications';
import { CompareViews1763750000150 } from './1763750000150-compare-views';
import { ExtendClaims1763750000160 } from './1763750000160-extend-claims';
import { AddRegisterStage1763750000161 } from './1763750000161-add-register-stage';
import { AnswerMatches1763750000162 } from './1763750000162-answer-matches';
import { RecordProvenance1763750000163 } from './1763750000163-record-provenance';
import { LayOutMedia1763750000170 } from './1763750000170-lay-out-media';
import { CodeStoredFailures1763750000190 } from './1763750000190-code-stored-failures';
import { AddInstagramAccounts1763750000230 } from './1763750000230-add-instagram-accounts';
import { QueuePerAccount1763750000231 } from './1763750000231-queue-per-account';
import { KeepCoverTimes1763750000250 } from './1763750000250-keep-cover-times';
import { AddPublishOptions1763750000220 } from './1763750000220-add-publish-options';
import { RecordPermissions1763750000240 } from './1763750000240-record-permissions';
import { NumberTheRegister1763750000251 } from './1763750000251-number-the-register';
import { MarkOriginality1763750000241 } from './1763750000241-mark-originality';
import { KeepRightsChecks1763750000221 } from './1763750000221-keep-rights-checks';
import { CheckPublishedPosts1763750000222 } from './1763750000222-check-published-posts';
import { IndexAnswers1763750000290 } from './1763750000290-index-answers';
import { CompareCaptions1763750000310 } from './1763750000310-compare-captions';
import { AllowBesideClaims1763750000242 } from './1763750000242-allow-beside-claims';

export interface SchemaMigration extends MigrationInterface {
  readonly name: string;
  /**
   * Only on a migration that removes or changes something that an older program uses: the number of the oldest migration whose program
   * works on the result. Additive migrations omit it, so pods of the previous version keep working during a rollout.
   */
  readonly servesSince?: number;
}

/** In the order in which they are applied. A released one never changes. */
export const MIGRATIONS: readonly (new () => SchemaMigration)[] = [
  CreateSchema1763700000000,
  CreateBus1763700000001,
  OrderTheRegister1763740000000,
  IndexThePictures1763740000001,
  AbandonedAttempts1763741000000,
  AddWorkers1763742000000,
  LightenHotPath1763743000000,
  CountSkippedPosts1763743000001,
  OrderTheQueue1763743000002,
  AuditAndIdempotency1763744000000,
  RunsAndTasks1763745000000,
  CountTheQueue1763745000001,
  RankTheQueue1763746000000,
  AddAiProviders1763750000020,
  ShareRequestBudgets1763750000030,
  TellPostsByMedia1763750000031,
  CheckPostsAtSource1763750000032,
  AddRedeemedSignIns1763750000040,
  ParkOutboxMessages1763750000050,
  IndexOldRows1763750000070,
  TraceTheQueue1763750000071,
  DateRefusedMessages1763750000091,
  KeepPublishCalls1763750000100,
  KeyEarlierPosts1763750000105,
  CodeReviewReasons1763750000110,
  RowsAreTheQueue1763750000120,
  KeepLateAnswers1763750000140,
  AddNotifications1763750000141,
  CompareViews1763750000150,
  ExtendClaims1763750000160,
  AddRegisterStage1763750000161,
  AnswerMatches1763750000162,
  RecordProvenance1763750000163,
  LayOutMedia1763750000170,
  CodeStoredFailures1763750000190,
  AddInstagramAccounts1763750000230,
  QueuePerAccount1763750000231,
  KeepCoverTimes1763750000250,
  AddPublishOptions1763750000220,
  RecordPermissions1763750000240,
  NumberTheRegister1763750000251,
  MarkOriginality1763750000241,
  KeepRightsChecks1763750000221,
  CheckPublishedPosts1763750000222,
  IndexAnswers1763750000290,
  AllowBesideClaims1763750000242,
  CompareCaptions1763750000310,
];
