export { audioCandidates, readDashManifest } from './dash';
export { RedditClient } from './reddit-client';
