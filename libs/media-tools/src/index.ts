export { MediaTools } from './media-tools';
export type { MediaInfo, NormalisedPicture, PictureChanges, VideoChanges } from './media-info';
export type { NormalisedVideo } from './reel';
export type { Fingerprint, MediaAnalysis } from './fingerprint';
export { carouselRatio } from './reel-filters';
export { PLATFORM, platformRefusal } from './media-limits';
