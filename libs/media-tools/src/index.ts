export { MediaTools, type MediaToolsOptions } from './media-tools';
export type { MediaInfo, NormalisedVideo } from './media-info';
export type { Fingerprint, PdqPrint } from './fingerprint';
export type { MediaCapabilities, ToolReport } from './capabilities';
export { DEFAULT_MEDIA_LIMITS, type MediaLimits } from './media-limits';
export { PLATFORM, platformRefusal } from './platform-rules';
export { hammingDistance, pdqHash } from './pdq';
