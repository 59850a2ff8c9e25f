export { audioCandidates, readDashManifest, type DashTrack, type DashTracks } from './dash';
export { RedditClient, type RedditClientOptions } from './reddit-client';
