import { apiSamples, subredditSample, type Subreddit } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { yieldText } from './subreddit-form';
import { successRate } from './subreddit-card';

const SAMPLE = '2026-11-21T10:00:00.000Z';

const start = (items: Subreddit[], jobs = 0, running = true) =>
  new FakeApi()
    .on('GET /api/subreddits', { success: true, data: items })
    .on('GET /api/subreddits/auto-process-stages', apiSamples.subreddits.autoProcessStages.response)
    .on('GET /api/subreddits/scheduler/status', { success: true, data: { isRunning: running, activeJobs: { count: jobs } } });

describe('subreddit manager', () => {
  it('shows the empty state with the next step', async () => {
    start([]);
    renderScreen('/admin/subreddits');
    expect(await screen.findByText('No subreddits configured yet.')).toBeVisible();
    expect(screen.getByText('Add your first subreddit to start automatic scraping!')).toBeVisible();
  });

  it('shows the error message', async () => {
    start([]).fail('GET /api/subreddits', 'The database is away');
    renderScreen('/admin/subreddits');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
  });

  it('shows a load error of the scheduler and retries', async () => {
    const api = start([subredditSample]).fail('GET /api/subreddits/scheduler/status', 'The database is away');
    const { user } = renderScreen('/admin/subreddits');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    api.on('GET /api/subreddits/scheduler/status', { success: true, data: { isRunning: false, activeJobs: { count: 0 } } });
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('button', { name: 'Start Scheduler' })).toBeVisible();
  });

  it('shows why no run starts although the scheduler is running', async () => {
    const idle = { reason: 'Reddit rejected the credentials.', nextAction: 'Check REDDIT_CLIENT_ID.', since: SAMPLE };
    start([subredditSample]).on('GET /api/subreddits/scheduler/status', {
      success: true,
      data: { isRunning: true, activeJobs: { count: 0 }, idle },
    });
    renderScreen('/admin/subreddits');
    expect(await screen.findByText(/No runs start: Reddit rejected the credentials\. Check REDDIT_CLIENT_ID\./u)).toBeVisible();
  });

  it('shows the loading state', async () => {
    start([]).hold('GET /api/subreddits');
    renderScreen('/admin/subreddits');
    const loading = await screen.findByText('Loading subreddits...');
    expect(loading).toBeVisible();
    expect(loading).not.toHaveStyle({ width: '1px' });
  });

  it('shows interval, statistics and the next run', async () => {
    const soon = new Date(Date.now() + 90 * 60_000).toISOString();
    start([{ ...subredditSample, scheduling: { isRunning: false, nextRun: soon } }], 2);
    renderScreen('/admin/subreddits');
    const card = await screen.findByRole('article', { name: 'r/EarthPorn' });
    for (const text of ['Active', '60 minutes', '100', 'Day', '24', '310', '95.8%', 'in 1 hour'])
      expect(within(card).getByText(text)).toBeVisible();
    expect(await screen.findByText('Active Jobs: 2')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Stop Scheduler' })).toBeEnabled();
  });

  it.each(['Disable', 'Run Now', 'Stop Scheduler'])('sends one request for a double click on %s', async (name) => {
    const api = start([subredditSample]).hold('POST /api/subreddits/scheduler/stop');
    for (const end of ['toggle', 'run-now']) api.hold(`POST /api/subreddits/${subredditSample._id}/${end}`);
    renderScreen('/admin/subreddits');
    const button = await screen.findByRole('button', { name });
    const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    environment.IS_REACT_ACT_ENVIRONMENT = false;
    for (let click = 0; click < 2; click += 1) {
      button.click();
      // Microtasks only: no render that React or a timer has merely scheduled.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
    environment.IS_REACT_ACT_ENVIRONMENT = true;
    expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('disables Run Now during a run', async () => {
    start([{ ...subredditSample, scheduling: { isRunning: true, nextRun: null } }]);
    renderScreen('/admin/subreddits');
    expect(await screen.findByRole('button', { name: 'Running...' })).toBeDisabled();
    expect(screen.queryByText(/Active Jobs/u)).toBeNull();
  });

  it('runs, toggles, and deletes after a confirmation', async () => {
    const api = start([subredditSample])
      .on('POST /api/subreddits/*/run-now', apiSamples.subreddits.runNow.response)
      .on('POST /api/subreddits/*/toggle', apiSamples.subreddits.toggle.response)
      .on('DELETE /api/subreddits/*', { success: true, message: 'Done' });
    const { user } = renderScreen('/admin/subreddits');
    const base = `/api/subreddits/${subredditSample._id}`;
    await user.click(await screen.findByRole('button', { name: 'Run Now' }));
    await user.click(screen.getByRole('button', { name: 'Disable' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this subreddit?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(api.calls('DELETE', base)).toHaveLength(1));
    expect(api.calls('POST', `${base}/run-now`)).toHaveLength(1);
    expect(api.calls('POST', `${base}/toggle`)).toHaveLength(1);
  });

  it('changes the auto-processing stage in place', async () => {
    const api = start([subredditSample]).on('PATCH /api/subreddits/*/auto-process-stage', apiSamples.subreddits.changeStage.response);
    const { user } = renderScreen('/admin/subreddits');
    const card = await screen.findByRole('article');
    await user.click(within(card).getByRole('combobox', { name: 'Auto-processing stage' }));
    await user.click(await screen.findByRole('option', { name: /Full automation/u }));
    await waitFor(() =>
      expect(api.calls('PATCH', `/api/subreddits/${subredditSample._id}/auto-process-stage`)[0]?.body).toEqual({
        autoProcessStage: 'queuePost',
      }),
    );
  });

  it('makes posts wait for the permission of their author', async () => {
    const api = start([subredditSample]).on(
      'PATCH /api/subreddits/*/needs-permission',
      apiSamples.subreddits.changeNeedsPermission.response,
    );
    const { user } = renderScreen('/admin/subreddits');
    await user.click(await screen.findByRole('checkbox', { name: 'Only with permission of the author' }));
    expect(await screen.findByText('Posts of r/EarthPorn wait for a permission')).toBeVisible();
    expect(api.calls('PATCH', `/api/subreddits/${subredditSample._id}/needs-permission`)[0]?.body).toEqual({ needsPermission: true });
  });

  it('validates the form and adds a subreddit with the defaults', async () => {
    const api = start([]).on('POST /api/subreddits', apiSamples.subreddits.create.response);
    const { user } = renderScreen('/admin/subreddits');
    await user.click(await screen.findByRole('button', { name: 'Add Subreddit' }));
    const form = await screen.findByRole('region', { name: 'Add Subreddit' });
    await user.type(within(form).getByLabelText(/^Name/u), 'r/aww');
    const interval = within(form).getByLabelText(/^Interval/u);
    await user.clear(interval);
    await user.type(interval, '4');
    await user.click(within(form).getByRole('button', { name: 'Add Subreddit' }));
    expect(await within(form).findByText('Please enter a whole number: 5 to 1440')).toBeVisible();
    expect(api.calls('POST', '/api/subreddits')).toHaveLength(0);
    await user.clear(interval);
    await user.type(interval, '60');
    await user.click(within(form).getByRole('button', { name: 'Add Subreddit' }));
    await waitFor(() => expect(api.calls('POST', '/api/subreddits')).toHaveLength(1));
    expect(api.calls('POST', '/api/subreddits')[0]?.body).toEqual({ ...apiSamples.subreddits.create.body, name: 'aww' });
  });
});

describe('subreddit manager, details', () => {
  it('normalises a pasted name, rejects a duplicate, and estimates the yield', async () => {
    const api = start([subredditSample]);
    const { user } = renderScreen('/admin/subreddits');
    await screen.findByRole('article');
    await user.click(screen.getByRole('button', { name: 'Add Subreddit' }));
    const form = within(await screen.findByRole('region', { name: 'Add Subreddit' }));
    expect(form.getByText('About 24 runs a day, up to 2,400 posts.')).toBeVisible();
    const name = form.getByLabelText(/^Name/u);
    await user.type(name, 'https://www.reddit.com/r/earthporn/top/');
    await user.tab();
    expect(name).toHaveValue('earthporn');
    expect(await form.findByText('r/earthporn is already in the list')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Add Subreddit' }));
    expect(api.calls('POST', '/api/subreddits')).toHaveLength(0);
    const interval = form.getByLabelText(/^Interval/u);
    await user.clear(interval);
    await user.type(interval, '1440');
    expect(form.getByText('About 1 run a day, up to 100 posts.')).toBeVisible();
  });

  it('warns that queuePost publishes without a review', async () => {
    start([{ ...subredditSample, config: { ...subredditSample.config, autoProcessStage: 'queuePost' } }]);
    renderScreen('/admin/subreddits');
    expect(await screen.findByText('Posts from here are published without a review.')).toBeVisible();
  });

  it('shows found, kept and skipped posts during a run', async () => {
    const lastRun = { state: 'running', listed: 40, accepted: 3, skipped: 20, error: null, startedAt: SAMPLE, finishedAt: null };
    start([{ ...subredditSample, scheduling: { isRunning: true, nextRun: null }, lastRun }]);
    renderScreen('/admin/subreddits');
    expect(await screen.findByText(/^This run: 40 found, 3 kept,/u)).toBeVisible();
    expect(screen.getByRole('link', { name: '20 skipped' })).toHaveAttribute('href', '/admin/skipped-posts?subreddit=EarthPorn');
  });

  it('names the posts of a finished run that were collected before', async () => {
    const lastRun = { state: 'done', listed: 8, accepted: 1, skipped: 2, error: null, startedAt: SAMPLE, finishedAt: SAMPLE };
    start([{ ...subredditSample, lastRun }]);
    renderScreen('/admin/subreddits');
    expect(await screen.findByText(/^Last run:/u)).toHaveTextContent('Last run: 8 found, 1 kept, 2 skipped, 5 already known');
  });

  it('undoes disabling a subreddit', async () => {
    const api = start([subredditSample]).on('POST /api/subreddits/*/toggle', apiSamples.subreddits.toggle.response);
    const { user } = renderScreen('/admin/subreddits');
    await user.click(await screen.findByRole('button', { name: 'Disable' }));
    await user.click(await screen.findByRole('button', { name: /^Undo/u }));
    const sent = () => api.calls('POST', `/api/subreddits/${subredditSample._id}/toggle`).map(({ body }) => body);
    // not the opposite of the present state, which another change may have set
    await waitFor(() => expect(sent()).toEqual([{ isActive: false }, { isActive: true }]));
  });
});

describe('yieldText', () => {
  it.each([
    [60, 100, 'About 24 runs a day, up to 2,400 posts.'],
    [5, 1, 'About 288 runs a day, up to 288 posts.'],
    [4, 100, null],
    [Number.NaN, 100, null],
    [60, Number.NaN, null],
  ])('estimates every %s minutes, %s posts', (interval, posts, text) => expect(yieldText(interval, posts)).toBe(text));
});

describe('successRate', () => {
  it.each([
    [0, 0, '0%'],
    [3, 1, '33.3%'],
    [4, 4, '100.0%'],
  ])('%i runs, %i successful', (totalRuns, successfulRuns, rate) => {
    expect(successRate({ totalRuns, successfulRuns, totalPostsScraped: 0 })).toBe(rate);
  });
});
