import { plural } from '../ui/format';

export const SCHEDULER_TEXT = {
  title: 'Scheduler Manager',
  start: 'Start Scheduler',
  stop: 'Stop Scheduler',
  started: 'Scheduler started successfully',
  stopped: 'Scheduler stopped successfully',
  startFailed: (message: string) => `Failed to start scheduler: ${message}`,
  stopFailed: (message: string) => `Failed to stop scheduler: ${message}`,
  never: 'Never',
  hasErrors: 'Has Errors',
  loading: 'Loading scheduler...',
  running: 'Running',
  halted: 'Stopped',
  every: (minutes: number) => (minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`),
  registered: (tasks: number) => plural(tasks, 'registered task'),
  lastTick: (passed: string) => `Last tick ${passed} ago`,
  late: 'The scheduler is running but has not reported for more than twice its interval. Check the server logs.',
  nextAt: (moment: string, left: string) => `${moment} (in ${left})`,
  lastRuns: 'Last runs',
  recent: (runs: number, failed: number, newestFine: boolean) =>
    `Last ${runs === 1 ? 'run' : `${runs} runs`}: ${failed === 0 ? 'none failed' : `${failed} failed, the latest ${newestFine ? 'succeeded' : 'failed'}`}`,
  recentRun: (moment: string, durationMs: number, fine: boolean) =>
    `${moment}, ${fine ? 'succeeded' : 'failed'} after ${(durationMs / 1000).toFixed(1)} s`,
  nextSoon: 'Very soon',
  nextStopped: 'After the scheduler starts',
  next: 'Next run',
  none: 'No tasks are registered',
  error: (message: string) => `Error: ${message}`,
  copyError: 'Copy error',
};

/** Names of the settings that publishing needs; their values are never shown. */
export const INSTAGRAM_VARIABLES = ['INSTAGRAM_ACCESS_TOKEN', 'INSTAGRAM_BUSINESS_ACCOUNT_ID'] as const;

export const SETTINGS_TEXT = {
  title: 'Settings',
  configured: 'Instagram API configured',
  notConfigured: 'Instagram API not configured',
  setVariables: `Please set the ${INSTAGRAM_VARIABLES.join(' and ')} environment variables.`,
  fromServer: 'The access token and the business account id come from the server environment.',
  specs: 'Reels compatibility',
  test: 'Test Compatibility Setup',
  copy: (name: string) => `Copy ${name}`,
  preferences: {
    title: 'Preferences',
    lead: 'Saved in this browser only.',
    theme: 'Colour scheme',
    notice: 'Show notifications for',
    noticeTime: (seconds: number) => (seconds === 0 ? 'Until closed' : `${seconds} seconds`),
    noticeHint:
      'Pointing at a notification pauses its timer. The notification menu keeps them. A change can be undone for at least 10 seconds.',
    zone: 'Time zone',
    zoneHint: (zone: string) => `All times are shown in ${zone}.`,
    zoneUnknown: 'Enter a time zone such as Europe/Berlin or UTC',
    shortcuts: 'Single-key shortcuts',
    shortcutsHint: 'Press ? to list them. Shortcuts with Ctrl or Cmd always work.',
    autoplay: 'Autoplay videos in Reels mode',
    autoplayHint: 'Disabled when the system requests reduced motion.',
  },
};
