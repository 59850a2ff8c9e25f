import { count } from '../ui/format';

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
  pipeline: 'Pipeline',
  rights: 'Rights Register',
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
  resumeDetail: 'The queue continues with its next slot.',
  acknowledge: 'You acknowledge the strikes; the next one pauses publishing again.',
  notificationMenu: 'Failures and notifications',
  notificationMenuWith: (unseen: string) => `Failures and notifications: ${unseen} unseen`,
  failures: 'Unseen failures',
  noFailures: 'No unseen failures',
  unknownFailures: 'Unknown: the failures could not be loaded',
  markSeen: 'Mark all as seen',
  notifications: 'Recent notifications',
  noNotifications: 'No notifications yet',
  theme: { light: 'Light', dark: 'Dark', system: 'System' },
  themeButton: 'Colour scheme',
  link: {
    live: 'Live',
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    off: 'Polling every 30 s',
    ended: 'Signed out',
  },
  linkHint: {
    live: 'Changes appear as they happen',
    connecting: 'Connecting to live updates',
    reconnecting: 'Live updates are interrupted; reconnecting',
    ended: 'Sign in to resume refreshing',
    off: 'Live updates are unavailable; refreshing every 30 s',
  },
  updated: (time: string) => `Updated ${time} ago`,
  sessionEnded: 'Your session has ended.',
  sessionEndedHint: 'This page keeps its content. Sign in again to continue.',
  refresh: 'Refresh everything',
  palette: 'Command palette',
  zone: (short: string, name: string) => (short === name ? `Time zone: ${name}` : `Time zone: ${short} (${name})`),
  zoneHere: (name: string) => `Browser time zone (${name})`,
  zoneOther: 'Another time zone…',
  leaveQuestion: 'Leave without saving the caption?',
  leave: 'Leave',
  pausedSince: (by: string, when: string) => `Paused by ${by}, ${when}.`,
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
  cancelFailed: (message: string) => `Failed to stop the run: ${message}`,
  hide: (title: string) => `Hide ${title}`,
};

export const UNDO_TEXT = {
  undo: 'Undo',
  undone: 'Undone',
  failed: (message: string) => `Undo failed: ${message}`,
};

export const TRY_AGAIN = 'Try Again';

export const KEYS_TEXT = {
  title: 'Keyboard shortcuts',
  off: 'Single-key shortcuts are off. Turn them on in Settings.',
  everywhere: 'Everywhere',
  goTo: (screen: string) => `Go to ${screen}`,
  palette: 'Command palette',
  search: 'Search this screen',
  refresh: 'Refresh everything',
  next: 'Next row',
  previous: 'Previous row',
  open: 'Open the row',
  select: 'Select the row',
  undo: 'Undo the last change',
  help: 'Show keyboard shortcuts',
  close: 'Close',
  then: 'then',
};

export const PALETTE_TEXT = {
  title: 'Command palette',
  field: 'Search screens, posts and actions',
  pages: 'Screens',
  actions: 'Actions',
  posts: 'Posts',
  nothing: (typed: string) => `No results for “${typed}”`,
  hint: 'Up/Down to select, Enter to open, Esc to close',
  theme: (mode: string) => `Colour scheme: ${mode}`,
};

export const SELECTION_TEXT = {
  one: (title: string) => `Select ${title}`,
  all: 'Select all',
  none: 'Clear selection',
  selected: (posts: number) => `${count(posts)} selected`,
};

export const ACCOUNT_TEXT = { label: 'Account', disconnected: 'a disconnected account' };
