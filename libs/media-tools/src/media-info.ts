import type { MediaLayout } from '@autoposter/contracts';

export interface MediaInfo {
  /** `mp4`, `mov`, `webm`, `matroska`, `gif`, `apng`, `jpeg`, `png`, `webp`, `avif` or `heic`, detected from the content. */
  container: string;
  kind: 'video' | 'image';
  /** Pixels as shown: after rotation and with square pixels. */
  width: number;
  height: number;
  /** Where the picture ends, from the first moment of picture or sound; `null` for pictures and if unknown. */
  durationSeconds: number | null;
  fps: number | null;
  videoCodec: string;
  audioCodec: string | null;
  hasAudio: boolean;
  bytes: number;
  /** Clockwise degrees by which a player rotates the stored picture: 0, 90, 180 or 270. */
  rotation: number;
}

/** Whether a rotation exchanges width and height. */
export const isQuarterTurn = (rotation: number): boolean => rotation % 180 !== 0;

export interface Size {
  width: number;
  height: number;
}

/** A part of a picture, or of the frames as the decoder returns them: rotated, before pixels are made square. */
export interface Area extends Size {
  x: number;
  y: number;
}

/**
 * A file of a post, or of a claimed work. Claimed works are also found by views of their frames and by more of their sound; these views cost more
 * than all other hashes, so posts are registered without them.
 */
export type FileOrigin = 'collected' | 'claimed';

export interface NormaliseOptions {
  /** Fills the canvas around a picture of another ratio; default `DEFAULT_MEDIA_LAYOUT`. */
  layout?: MediaLayout;
  /** Width over height of the canvas; default that of a reel for videos and that of the picture, within Instagram's limits, for pictures. */
  ratio?: number;
}

/** What normalisation did to a picture beside removing metadata. */
export interface PictureChanges {
  barsRemoved: boolean;
  /** Size of the part of the source that was shown with more pixels; `null` if none was added. */
  enlargedFrom: Size | null;
  toneMapped: boolean;
}

export interface NormalisedPicture extends MediaInfo {
  changes: PictureChanges;
}

/** What normalisation did to a video beside removing metadata. */
export interface VideoChanges extends PictureChanges {
  /** The coded frames are those of the source. */
  videoCopied: boolean;
  audioCopied: boolean;
  deinterlaced: boolean;
  /** Length of a source that was repeated because it is shorter than Instagram accepts. */
  loopedFromSeconds: number | null;
  /** Integrated loudness of the source in LUFS and the gain applied in dB; `null` without sound. */
  loudness: { source: number; gain: number } | null;
}
