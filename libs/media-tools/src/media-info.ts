export interface MediaInfo {
  /** `mp4`, `mov`, `webm`, `matroska`, `gif`, `jpeg`, `png`, `webp` or `avif`, told by the bytes. */
  container: string;
  kind: 'video' | 'image';
  /** Pixels as shown: after rotation and with square pixels. */
  width: number;
  height: number;
  /** `null` for pictures, and where the file does not tell. */
  durationSeconds: number | null;
  fps: number | null;
  videoCodec: string;
  audioCodec: string | null;
  hasAudio: boolean;
  bytes: number;
  /** Clockwise degrees that a player turns the stored picture by: 0, 90, 180 or 270. */
  rotation: number;
}

export interface NormalisedVideo extends MediaInfo {
  /** Length of the source where only its beginning was kept; `null` where nothing was cut. */
  trimmedFromSeconds: number | null;
}
