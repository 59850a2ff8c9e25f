export { MediaTools } from './media-tools';
export type { MediaInfo, NormalisedVideo, VideoChanges } from './media-info';
export type { Fingerprint, MediaAnalysis } from './fingerprint';
export { PLATFORM, platformRefusal } from './media-limits';
