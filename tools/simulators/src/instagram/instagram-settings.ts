import type { Language } from './graph-refusal';

/** What a test may change while the simulator runs (`POST /control/settings`). */
export interface InstagramSettings {
  language: Language;
  /** How long a container stays IN_PROGRESS at least. */
  imageProcessingMs: number;
  videoProcessingMs: number;
  /** Posts in 24 hours. */
  publishQuota: number;
  containersPerDay: number;
  /** Permissions that the account's owner has not given. */
  withheldScopes: string[];
  /** Calls in 24 hours that count as 100 %. */
  callsPerDay: number;
}

export const INSTAGRAM_DEFAULTS: InstagramSettings = {
  language: 'en',
  imageProcessingMs: 200,
  videoProcessingMs: 1_500,
  publishQuota: 50,
  containersPerDay: 400,
  withheldScopes: [],
  callsPerDay: 48_000,
};
