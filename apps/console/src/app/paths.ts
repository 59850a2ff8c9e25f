import {
  mdiCalendarClockOutline,
  mdiClockOutline,
  mdiCogOutline,
  mdiDebugStepOver,
  mdiForumOutline,
  mdiImageMultipleOutline,
  mdiLinkVariantPlus,
  mdiTextBoxOutline,
  mdiViewDashboardOutline,
} from '@mdi/js';
import { NAV_TEXT } from '../text/shell.text';

export const ADMIN = '/admin';

export interface NavEntry {
  path: string;
  label: string;
  icon: string;
}

/** The nine admin screens in the order of the navigation, in groups. */
export const NAVIGATION: readonly { group: string; entries: readonly NavEntry[] }[] = [
  { group: 'Overview', entries: [{ path: ADMIN, label: NAV_TEXT.dashboard, icon: mdiViewDashboardOutline }] },
  {
    group: 'Intake',
    entries: [
      { path: '/admin/urls', label: NAV_TEXT.urls, icon: mdiLinkVariantPlus },
      { path: '/admin/subreddits', label: NAV_TEXT.subreddits, icon: mdiForumOutline },
      { path: '/admin/skipped-posts', label: NAV_TEXT.skippedPosts, icon: mdiDebugStepOver },
    ],
  },
  {
    group: 'Content',
    entries: [
      { path: '/admin/processed', label: NAV_TEXT.processed, icon: mdiImageMultipleOutline },
      { path: '/admin/instagram-queue', label: NAV_TEXT.instagramQueue, icon: mdiCalendarClockOutline },
    ],
  },
  {
    group: 'System',
    entries: [
      { path: '/admin/scheduler', label: NAV_TEXT.scheduler, icon: mdiClockOutline },
      { path: '/admin/logs', label: NAV_TEXT.logs, icon: mdiTextBoxOutline },
      { path: '/admin/settings', label: NAV_TEXT.settings, icon: mdiCogOutline },
    ],
  },
];
