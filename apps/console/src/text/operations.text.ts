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
  late: 'The scheduler is running but has been silent for more than twice its interval. Look at the server logs.',
  nextAt: (moment: string, left: string) => `${moment} (in ${left})`,
  lastRuns: 'Last runs',
  recent: (runs: number, failed: number, newestFine: boolean) =>
    `Last ${runs === 1 ? 'run' : `${runs} runs`}: ${failed === 0 ? 'none failed' : `${failed} failed, the newest ${newestFine ? 'did not' : 'did'}`}`,
  recentRun: (moment: string, durationMs: number, fine: boolean) =>
    `${moment}, ${fine ? 'done' : 'failed'} after ${(durationMs / 1000).toFixed(1)} s`,
  nextSoon: 'Very soon',
  nextStopped: 'When the scheduler runs',
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
  fromServer: 'Access token and business account id come from the environment of the server.',
  specs: 'Reels compatibility',
  test: 'Test Compatibility Setup',
  copy: (name: string) => `Copy ${name}`,
  preferences: {
    title: 'Preferences',
    lead: 'For you, in this browser.',
    theme: 'Colour scheme',
    notice: 'Notices stay',
    noticeTime: (seconds: number) => (seconds === 0 ? 'Until they are closed' : `${seconds} seconds`),
    noticeHint: 'They wait while you point at them, and stay behind the bell afterwards. A change can be undone for at least 10 seconds.',
    zone: 'Time zone',
    zoneHint: (zone: string) => `Every time is told in ${zone}.`,
    zoneUnknown: 'Please choose a time zone such as Europe/Berlin or UTC',
    shortcuts: 'Keyboard shortcuts of one letter',
    shortcutsHint: 'Press ? to see them all. Keys with Ctrl or Cmd always work.',
    autoplay: 'Videos play by themselves in Reels mode',
    autoplayHint: 'Never where the system asks for less motion.',
  },
};
