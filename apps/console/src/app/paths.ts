import {
  mdiCalendarClockOutline,
  mdiClockOutline,
  mdiCogOutline,
  mdiDebugStepOver,
  mdiForumOutline,
  mdiImageMultipleOutline,
  mdiLinkVariantPlus,
  mdiPipe,
  mdiShieldOutline,
  mdiTextBoxOutline,
  mdiViewDashboardOutline,
} from '@mdi/js';
import { NAV_TEXT } from '../text/shell.text';

export const ADMIN = '/admin';

export interface NavEntry {
  path: string;
  label: string;
  icon: string;
  /** The second key of the shortcut, after `g`. */
  key: string;
}

export const NAVIGATION: readonly { group: string; entries: readonly NavEntry[] }[] = [
  { group: 'Overview', entries: [{ path: ADMIN, label: NAV_TEXT.dashboard, icon: mdiViewDashboardOutline, key: 'd' }] },
  {
    group: 'Intake',
    entries: [
      { path: '/admin/urls', label: NAV_TEXT.urls, icon: mdiLinkVariantPlus, key: 'u' },
      { path: '/admin/subreddits', label: NAV_TEXT.subreddits, icon: mdiForumOutline, key: 'r' },
      { path: '/admin/skipped-posts', label: NAV_TEXT.skippedPosts, icon: mdiDebugStepOver, key: 's' },
    ],
  },
  {
    group: 'Content',
    entries: [
      { path: '/admin/processed', label: NAV_TEXT.processed, icon: mdiImageMultipleOutline, key: 'p' },
      { path: '/admin/instagram-queue', label: NAV_TEXT.instagramQueue, icon: mdiCalendarClockOutline, key: 'q' },
    ],
  },
  {
    group: 'System',
    entries: [
      { path: '/admin/scheduler', label: NAV_TEXT.scheduler, icon: mdiClockOutline, key: 't' },
      { path: '/admin/logs', label: NAV_TEXT.logs, icon: mdiTextBoxOutline, key: 'l' },
      { path: '/admin/settings', label: NAV_TEXT.settings, icon: mdiCogOutline, key: 'e' },
      { path: '/admin/pipeline', label: NAV_TEXT.pipeline, icon: mdiPipe, key: 'i' },
      { path: '/admin/rights', label: NAV_TEXT.rights, icon: mdiShieldOutline, key: 'c' },
    ],
  },
];

export const ALL_SCREENS: readonly NavEntry[] = NAVIGATION.flatMap(({ entries }) => entries);

export const itemPath = (id: string): string => `/admin/items/${id}`;
