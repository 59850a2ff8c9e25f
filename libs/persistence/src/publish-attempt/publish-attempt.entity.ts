import type { PostKind, PublishOptions } from '@autoposter/contracts';
import type { AttemptState, Failure, RightsCheck } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, INTEGER, INTEGER_OR_NULL, JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';

/** One attempt to publish. These rows prevent publishing an item twice. */
@Entity('publish_attempts')
export class PublishAttempt {
  @PrimaryColumn(ID) id!: string;
  @Column(ID) itemId!: string;
  @Column(ID) queueItemId!: string;
  @Column(TEXT) accountId!: string;
  @Column(TEXT) state!: AttemptState;
  @Column(TEXT) kind!: PostKind;
  @Column(TEXT) caption!: string;
  @Column(TEXT) captionHash!: string;
  @Column(TEXT) mediaSha256!: string;
  @Column(JSON_VALUE) options!: PublishOptions;
  @Column(TEXT_OR_NULL) containerId!: string | null;
  @Column(INTEGER) containersMade!: number;
  @Column(TIME_OR_NULL) intentAt!: Date | null;
  /** Of the last publish call; set with the intent and never cleared, because an intended call may have been made. */
  @Column(TIME_OR_NULL) calledAt!: Date | null;
  @Column(INTEGER) calls!: number;
  /** While the platform's copyright check has no result. */
  @Column(JSON_OR_NULL) rightsCheck!: RightsCheck | null;
  /** When an administrator last reported that the post is not on the account. */
  @Column(TIME_OR_NULL) absentAt!: Date | null;
  @Column(INTEGER_OR_NULL) quotaUsedBefore!: number | null;
  /** Number of reconciliations so far. */
  @Column({ ...INTEGER, name: 'looks' }) checks!: number;
  @Column({ ...TIME_OR_NULL, name: 'next_look_at' }) nextCheckAt!: Date | null;
  @Column(TEXT_OR_NULL) mediaId!: string | null;
  /** The media id of an answer to a call of this attempt: evidence, also where it came after the attempt had ended. */
  @Column(TEXT_OR_NULL) answeredMediaId!: string | null;
  @Column(TEXT_OR_NULL) mediaType!: string | null;
  @Column(TEXT_OR_NULL) permalink!: string | null;
  @Column(TIME_OR_NULL) publishedAt!: Date | null;
  @Column(TEXT_OR_NULL) settledBy!: 'answer' | 'reconcile' | 'person' | null;
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(INTEGER) version!: number;
  @Column(TIME) createdAt!: Date;
  @Column(TIME) updatedAt!: Date;
}
