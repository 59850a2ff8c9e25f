import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, BOOLEAN_OR_NULL, ID, INTEGER, INTEGER_OR_NULL, REAL_OR_NULL, TEXT, TIME } from '../database/columns';

/** `cdn` if the object store is an S3 server, `local` if it is a folder. */
export type StorageType = 'cdn' | 'local';

/** One stored file of an item: the original, the processed file that may be posted, its cover, or the cover that an administrator uploaded. */
@Entity('media_files')
export class MediaFile {
  @PrimaryColumn(ID) id!: string;
  @Column(ID) itemId!: string;
  @Column(TEXT) role!: 'original' | 'processed' | 'cover' | 'uploaded_cover';
  @Column(INTEGER) position!: number;
  @Column(TEXT) mediaType!: 'video' | 'image';
  @Column(TEXT) objectKey!: string;
  @Column(TEXT) fileName!: string;
  @Column(TEXT) contentType!: string;
  @Column(BIGINT) bytes!: number;
  @Column(TEXT) sha256!: string;
  @Column(INTEGER_OR_NULL) width!: number | null;
  @Column(INTEGER_OR_NULL) height!: number | null;
  @Column(REAL_OR_NULL) durationSeconds!: number | null;
  @Column(BOOLEAN_OR_NULL) hasAudio!: boolean | null;
  /** Position of the cover in a processed video. */
  @Column(REAL_OR_NULL) coverSeconds!: number | null;
  @Column(TEXT) storageType!: StorageType;
  @Column(TIME) createdAt!: Date;
}
