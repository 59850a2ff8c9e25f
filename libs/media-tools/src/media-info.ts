export interface MediaInfo {
  /** `mp4`, `mov`, `webm`, `matroska`, `gif`, `jpeg`, `png`, `webp` or `avif`, detected from the content. */
  container: string;
  kind: 'video' | 'image';
  /** Pixels as shown: after rotation and with square pixels. */
  width: number;
  height: number;
  /** `null` for pictures and if unknown. */
  durationSeconds: number | null;
  fps: number | null;
  videoCodec: string;
  audioCodec: string | null;
  hasAudio: boolean;
  bytes: number;
  /** Clockwise degrees by which a player rotates the stored picture: 0, 90, 180 or 270. */
  rotation: number;
}

export interface NormalisedVideo extends MediaInfo {
  /** Length of the source if it was trimmed, otherwise `null`. */
  trimmedFromSeconds: number | null;
}
