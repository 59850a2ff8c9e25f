import type { PublishOptions, QueueStatus } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BOOLEAN, ID, INTEGER, JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';

/** An item's place in the posting queue. `caption` is the complete text that will be published. */
@Entity('queue_items')
export class QueueItem {
  @PrimaryColumn(ID) id!: string;
  @Column(ID) itemId!: string;
  @Column(ID) accountId!: string;
  @Column(TEXT) status!: QueueStatus;
  @Column(INTEGER) priority!: number;
  @Column(TEXT) caption!: string;
  @Column(JSON_VALUE) options!: PublishOptions;
  @Column(BOOLEAN) immediate!: boolean;
  @Column(BOOLEAN) pinned!: boolean;
  @Column(TIME_OR_NULL) scheduledFor!: Date | null;
  @Column(TIME) queuedAt!: Date;
  @Column(TIME_OR_NULL) finishedAt!: Date | null;
  @Column(TEXT_OR_NULL) outcome!: 'unknown' | null;
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(INTEGER) version!: number;
  @Column(TEXT) queuedBy!: string;
  /** The trace of the request or job that queued it; publishing continues this trace. */
  @Column(TEXT_OR_NULL) traceparent!: string | null;
}
