export { startSimulators, type RunningSimulators, type SimulatorOptions, type SimulatorUrls } from './simulators';
export { DEFAULT_REDDIT_SEED, type RedditSeed } from './reddit/reddit.system';
export type { CommunitySeed, PostSeed } from './reddit/reddit-content';
export type { Fault, FaultInput, SystemName } from './control/faults';
export type { LedgerEntry, PublishLedger } from './instagram/instagram.system';
export { PRESETS } from './control/presets/presets';
export { CREDENTIALS } from './credentials';
export { GOOGLE_PEOPLE } from './google/google-state';
