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
  copied: 'Copied',
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
