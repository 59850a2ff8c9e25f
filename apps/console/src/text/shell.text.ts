export const SIGN_IN_TEXT = {
  comingSoon: 'Coming Soon',
  button: 'Sign in with Google',
  loading: 'Loading...',
  promise: 'Posts collected, cleared of claims, captioned and published. One calm place to watch over it.',
};

/** Why a sign-in came to nothing, by the reason that the server names. */
export const SIGN_IN_REASONS: Record<string, string> = {
  sign_in_cancelled: 'The sign-in was cancelled.',
  sign_in_expired: 'The sign-in took too long. Please try again.',
  sign_in_failed: 'Google did not confirm the sign-in. Please try again.',
  google_unreachable: 'Google could not be reached. Please try again in a moment.',
  not_configured: 'Sign-in is not configured on the server yet.',
  email_missing: 'Google did not tell the e-mail of this account.',
  email_unverified: 'The e-mail of this Google account is not verified.',
  not_admin: 'The e-mail of this Google account is not in the admin list.',
};

export const DENIED_TEXT = {
  title: 'Access Denied',
  subtitle: 'Admin Access Required',
  sentence: 'Your account is not authorized to use this application.',
  steps: ['Contact the administrator to ask for access', 'Use the right Google account', 'Verify that your e-mail is in the admin list'],
  back: 'Back to Home',
};

export const GUARD_TEXT = {
  title: 'Admin Access Required',
  prompt: 'Please sign in with an admin account to go on.',
};

export const NAV_TEXT = {
  dashboard: 'Dashboard',
  urls: 'URL Manager',
  processed: 'Processed Content',
  subreddits: 'Subreddit Manager',
  skippedPosts: 'Skipped Posts',
  instagramQueue: 'Instagram Queue',
  scheduler: 'Scheduler Manager',
  logs: 'Logs',
  settings: 'Settings',
};

export const SHELL_TEXT = {
  skip: 'Skip to content',
  openNavigation: 'Open navigation',
  navigation: 'Admin screens',
  logout: 'Logout',
  pause: 'Pause publishing',
  resume: 'Resume publishing',
  paused: 'Publishing is paused',
  pausedHint: 'Nothing is posted until publishing is resumed, Post Now included.',
  pauseQuestion: 'Pause all publishing?',
  pauseDetail: 'Nothing is posted while it is paused, Post Now included. A post that is being sent right now is finished.',
  resumeQuestion: 'Resume publishing?',
  resumeDetail: 'The queue goes on with its next slot.',
  bell: 'Failures and notices',
  failures: 'Failures nobody has looked at',
  noFailures: 'No unseen failures',
  markSeen: 'Mark all as seen',
  notices: 'Recent notices',
  noNotices: 'Nothing happened yet',
  theme: { light: 'Light', dark: 'Dark', system: 'System' },
  themeButton: 'Colour scheme',
  link: {
    live: 'Live',
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    off: 'Not live',
  },
  linkHint: {
    live: 'Changes appear as they happen',
    connecting: 'Opening the live stream',
    reconnecting: 'The live stream is away; lists are read every 15 seconds',
    off: 'The live stream is closed; lists are read every 15 seconds',
  },
};

export const RUN_TEXT = {
  label: 'Runs',
  of: (finished: number, total: number) => `${finished} of ${total}`,
  left: (time: string) => `${time} left`,
  failed: (files: number) => `${files} failed`,
  finished: (done: number, total: number) => `${done} of ${total} done`,
  stopped: (finished: number, total: number) => `Stopped after ${finished} of ${total}`,
  cancel: 'Cancel',
  cancelling: 'Stopping…',
  hide: (title: string) => `Hide ${title}`,
};

export const UNDO_TEXT = {
  undo: 'Undo',
  undone: 'Undone',
  failed: (message: string) => `This could not be undone: ${message}`,
};
