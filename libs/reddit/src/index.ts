export { audioCandidates, readDashManifest } from './dash';
export { RedditClient, type RedditClientOptions } from './reddit-client';
