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

export const LOGS_TEXT = {
  title: 'Logs',
  tabs: {
    server: 'Server Logs',
    browser: 'Browser Logs',
    error: 'Error Logs',
    pm2: 'PM2 All Logs',
    'pm2-error': 'PM2 Errors Only',
  },
  lines: 'Lines',
  follow: 'Auto-refresh',
  refresh: 'Refresh',
  refreshAll: 'Refresh All',
  clear: 'Clear Local Logs',
  clearQuestion: 'Clear the local logs?',
  noData: 'No data',
  placeholder: 'No logs available. Click refresh to load logs.',
  none: 'No logs available',
  error: (message: string) => `Error loading logs: ${message}`,
  cleared: 'Local logs cleared',
};

export const SETTINGS_TEXT = {
  title: 'Settings',
  configured: 'Instagram API configured',
  notConfigured: 'Instagram API not configured',
  setVariables: 'Please set the INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_BUSINESS_ACCOUNT_ID environment variables.',
  fromServer: 'Access token and business account id come from the environment of the server.',
  specs: 'Reels compatibility',
  test: 'Test Compatibility Setup',
};
