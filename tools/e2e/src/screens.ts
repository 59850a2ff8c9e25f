import type { Page } from 'playwright-core';

export interface Screen {
  /** Prefix of its screenshots. */
  name: string;
  path: string;
  heading: string;
  /** The main request of the screen; delayed for the loading state, aborted for the error state. */
  reads?: string;
  /** Text while the request is pending, if specified. */
  loading?: string;
  /** Text after the request has failed. */
  failed?: RegExp;
  /** Text without data. */
  empty?: RegExp;
  /** Dialogs and views, with the action that opens each. */
  opened?: Record<string, (page: Page) => Promise<void>>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
const thenDialog =
  (...steps: ((page: Page) => Promise<void>)[]) =>
  async (page: Page): Promise<void> => {
    for (const step of steps) await step(page);
    await dialog(page);
  };

/** As a link does, which a narrow page or a list may hide. */
export async function navigate(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, place);
}

const calendar = (view: string) => async (page: Page) => {
  await navigate(page, `${new URL(page.url()).pathname}?view=${view}`);
  await page.getByRole('heading', { level: 1, name: 'Instagram Queue' }).waitFor();
  await page.getByRole('button', { name: /Next/ }).first().waitFor();
};

const rightsView = (view: string, panel: string) => async (page: Page) => {
  await press(view)(page);
  await page.getByRole('heading', { level: 2, name: panel }).waitFor();
};

/** All admin screens. Each state is checked in two themes and two widths. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'dashboard',
    path: '/admin',
    heading: 'Instagram Auto-Poster Dashboard',
    reads: '**/api/dmca/ready*',
    failed: /Error loading DMCA files|Failed to fetch DMCA files/,
    empty: /No files ready for DMCA protection/,
    opened: { clear: thenDialog(press(/Clear All Data/)) },
  },
  {
    name: 'urls',
    path: '/admin/urls',
    heading: 'URL Manager',
    reads: '**/api/downloads*',
    failed: /Error fetching downloads|Failed to fetch downloads/,
    empty: /No URLs in queue/,
    opened: {
      delete: thenDialog(press(/^Delete/)),
      timeline: async (page) => {
        await page
          .getByRole('link', { name: /Timeline/ })
          .first()
          .click();
        await page.waitForURL(/\/admin\/items\//);
        await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'URL Manager' }).waitFor();
      },
    },
  },
  {
    name: 'processed',
    path: '/admin/processed',
    heading: 'Processed Content',
    reads: '**/api/ai/completed*',
    failed: /Error Loading Content/,
    empty: /AI captions and hashtags/,
    opened: {
      details: thenDialog(press('View Details')),
      analysis: thenDialog(press('AI Analysis')),
      'post-now': thenDialog(press('Post Now')),
      reels: async (page) => {
        await page.getByRole('button', { name: 'Reels' }).click();
        await page.getByText(/^1 \/ \d+$/).waitFor();
      },
    },
  },
  {
    name: 'subreddits',
    path: '/admin/subreddits',
    heading: 'Subreddit Manager',
    reads: '**/api/subreddits',
    loading: 'Loading subreddits...',
    failed: /Error: /,
    empty: /No subreddits configured yet\./,
    opened: {
      add: async (page) => {
        await press('Add Subreddit')(page);
        await page.getByLabel('Name').waitFor();
      },
      delete: thenDialog(press(/^Delete/)),
    },
  },
  {
    name: 'skipped-posts',
    path: '/admin/skipped-posts',
    heading: 'Skipped Posts',
    reads: '**/api/skipped-posts?*',
    failed: /Error: /,
    empty: /No skipped posts found\./,
  },
  {
    name: 'instagram-queue',
    path: '/admin/instagram-queue',
    heading: 'Instagram Queue',
    reads: '**/api/instagram-queue?*',
    loading: 'Loading Instagram queue...',
    failed: /Error: /,
    empty: /No posts in queue\./,
    opened: {
      settings: async (page) => {
        await press('Settings')(page);
        await page.getByRole('button', { name: 'Save Time Settings' }).waitFor();
      },
      selected: async (page) => {
        await press('Select all')(page);
        await page.getByRole('region', { name: /selected$/ }).waitFor();
      },
      options: thenDialog(press('Options')),
      week: calendar('week'),
      month: calendar('month'),
    },
  },
  {
    name: 'scheduler',
    path: '/admin/scheduler',
    heading: 'Scheduler Manager',
    reads: '**/api/scheduler/status',
    opened: {
      task: thenDialog((page) =>
        page
          .getByRole('main')
          .getByRole('button', { name: /sweep|send|plan|find|remove/i })
          .first()
          .click(),
      ),
    },
  },
  {
    name: 'logs',
    path: '/admin/logs',
    heading: 'Logs',
    reads: '**/api/logs/server-logs*',
    failed: /Error loading logs: /,
  },
  {
    name: 'settings',
    path: '/admin/settings',
    heading: 'Settings',
    opened: {
      palette: thenDialog((page) => page.keyboard.press('Control+k')),
      keys: thenDialog((page) => page.keyboard.press('?')),
    },
  },
  { name: 'pipeline', path: '/admin/pipeline', heading: 'Pipeline', reads: '**/api/pipeline', failed: /Error: / },
  {
    name: 'rights',
    path: '/admin/rights',
    heading: 'Rights Register',
    reads: '**/api/rights/claims*',
    failed: /Error: /,
    opened: {
      matches: rightsView('Matches', 'Thresholds'),
      notices: rightsView('Notices', 'Takedown notices'),
      permissions: rightsView('Permissions', 'Permissions'),
      originality: rightsView('Originality', 'Originality'),
    },
  },
];
