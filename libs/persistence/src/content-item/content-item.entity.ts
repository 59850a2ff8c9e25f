import type { AutoProcessStage, ItemStage, MediaType, Platform, PostType, ProcessingError } from '@autoposter/contracts';
import type { ItemState, SourceComment, SourcePost, StoredReviewReason } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  BOOLEAN,
  ID,
  ID_OR_NULL,
  INTEGER,
  INTEGER_OR_NULL,
  JSON_OR_NULL,
  JSON_VALUE,
  REAL_OR_NULL,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../database/columns';

/** One source post in the pipeline; a gallery is one item. `version` grows with each transition. */
@Entity('content_items')
export class ContentItem {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) platform!: Platform;
  @Column(TEXT) sourceId!: string;
  /** Identifies the media that the post shows (`sourceKeyOf`); `null` until the source was read. */
  @Column(TEXT_OR_NULL) sourceKey!: string | null;
  @Column(TEXT) originalUrl!: string;
  @Column(TEXT) title!: string;
  @Column(TEXT_OR_NULL) author!: string | null;
  @Column(TEXT_OR_NULL) subreddit!: string | null;
  @Column(TEXT) postType!: PostType;
  @Column(TEXT) mediaType!: MediaType;
  @Column(BOOLEAN) nsfw!: boolean;
  @Column(TIME_OR_NULL) sourceCreatedAt!: Date | null;
  @Column(INTEGER_OR_NULL) score!: number | null;
  @Column(REAL_OR_NULL) upvoteRatio!: number | null;
  @Column(INTEGER_OR_NULL) likes!: number | null;
  @Column(JSON_OR_NULL) sourcePost!: SourcePost | null;
  @Column(JSON_VALUE) topComments!: SourceComment[];
  @Column(TEXT) autoProcessStage!: AutoProcessStage;
  @Column(TEXT) state!: ItemState;
  @Column(TEXT_OR_NULL) failedStage!: ItemStage | null;
  @Column(BOOLEAN) needsReview!: boolean;
  @Column(JSON_VALUE) reviewReasons!: StoredReviewReason[];
  @Column(INTEGER) version!: number;
  @Column(INTEGER) retryCount!: number;
  @Column(INTEGER) maxRetries!: number;
  @Column(JSON_VALUE) processingErrors!: ProcessingError[];
  @Column(TIME_OR_NULL) failureSeenAt!: Date | null;
  @Column(ID_OR_NULL) subredditId!: string | null;
  @Column(ID_OR_NULL) collectRunId!: string | null;
  /** When the source was last checked for the post. */
  @Column(TIME_OR_NULL) sourceCheckedAt!: Date | null;
  /** When the post was found removed from its source; its media is deleted then. */
  @Column(TIME_OR_NULL) sourceRemovedAt!: Date | null;
  @Column(TIME) createdAt!: Date;
  @Column(TIME) updatedAt!: Date;
}

export type NewItem = Pick<ContentItem, 'platform' | 'sourceId' | 'originalUrl' | 'autoProcessStage'> & Partial<ContentItem>;

/** An item as the table will hold it: missing values are the defaults of the columns. Its times are only close to those of the database. */
export const newContentItem = (item: NewItem): ContentItem => ({
  id: uuidv7(),
  sourceKey: null,
  title: '',
  author: null,
  subreddit: null,
  postType: 'other',
  mediaType: 'other',
  nsfw: false,
  sourceCreatedAt: null,
  score: null,
  upvoteRatio: null,
  likes: null,
  sourcePost: null,
  topComments: [],
  state: 'accepted',
  failedStage: null,
  needsReview: false,
  reviewReasons: [],
  version: 1,
  retryCount: 0,
  maxRetries: 3,
  processingErrors: [],
  failureSeenAt: null,
  subredditId: null,
  collectRunId: null,
  sourceCheckedAt: null,
  sourceRemovedAt: null,
  createdAt: new Date(),
  updatedAt: new Date(),
  ...item,
});
