export { MediaTools, type MediaToolsOptions } from './media-tools';
export type { MediaInfo, NormalisedVideo } from './media-info';
export type { Fingerprint, PdqPrint } from './fingerprint';
export type { MediaCapabilities, ToolReport } from './capabilities';
export { PLATFORM, platformRefusal } from './platform-rules';
