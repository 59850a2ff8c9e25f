import type { Environment } from './load-config';

/** What code that is no service (tests, trials) may ask the environment. */
export interface ProcessSettings {
  /** A missing container engine is a failure and not a skipped suite. */
  ci: boolean;
  /** A server that stands already, instead of one that the tests start. */
  testDatabaseUrl: string | null;
  path: string;
  temporaryFolder: string;
  ffmpegPath: string;
  ffprobePath: string;
  /** All of it, for programs that are started as a person would start them. */
  environment: Environment;
}

export function readProcessSettings(environment: Environment = process.env): ProcessSettings {
  return {
    ci: ['1', 'true'].includes(environment.CI ?? ''),
    testDatabaseUrl: environment.TEST_DATABASE_URL ?? null,
    path: environment.PATH ?? '',
    temporaryFolder: environment.TMPDIR ?? '/tmp',
    ffmpegPath: environment.FFMPEG_PATH || 'ffmpeg',
    ffprobePath: environment.FFPROBE_PATH || 'ffprobe',
    environment,
  };
}
