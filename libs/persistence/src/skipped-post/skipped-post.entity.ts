import type { SkipReason } from '@autoposter/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ID, ID_OR_NULL, INTEGER, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';

/** A skipped post with its reason; one row per subreddit and post, updated when it is skipped again. */
@Entity('skipped_posts')
export class SkippedPost {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) subreddit!: string;
  @Column(TEXT) platform!: string;
  @Column(TEXT) sourceId!: string;
  @Column(TEXT) originalUrl!: string;
  @Column(TEXT) reason!: SkipReason;
  @Column(TEXT_OR_NULL) additionalInfo!: string | null;
  @Column(TEXT_OR_NULL) errorMessage!: string | null;
  @Column(TEXT_OR_NULL) title!: string | null;
  @Column(TEXT_OR_NULL) author!: string | null;
  @Column(TEXT_OR_NULL) postType!: string | null;
  @Column(INTEGER) score!: number;
  @Column(TIME_OR_NULL) sourceCreatedAt!: Date | null;
  @Column(TIME) skippedAt!: Date;
  @Column(ID_OR_NULL) itemId!: string | null;
}
