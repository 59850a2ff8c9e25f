import {
  apiSamples,
  queueItemSample,
  queueStatusSample,
  type InstagramAccounts,
  type QueueItem,
  type QueueStatusView,
} from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const pagination = { currentPage: 1, totalPages: 1, totalCount: 1, hasPrevPage: false, hasNextPage: false };
const start = (posts: QueueItem[], status: Partial<QueueStatusView> = {}) =>
  new FakeApi()
    .on('GET /api/instagram-queue', { success: true, data: { posts, pagination } })
    .on('GET /api/instagram-queue/status', { success: true, data: { ...queueStatusSample, ...status } })
    .on('GET /api/instagram-queue/statistics', apiSamples.instagramQueue.statistics.response);

const withStatus = (status: QueueItem['status'], change: Partial<QueueItem> = {}): QueueItem => ({ ...queueItemSample, status, ...change });

describe('Instagram queue', () => {
  it('shows status, interval, next post and statistics', async () => {
    start([queueItemSample]);
    renderScreen('/admin/instagram-queue');
    for (const text of [
      'Queue Status',
      'Running',
      'Posting Interval',
      '120 minutes',
      'Next Post',
      'Posts in Queue',
      'Total Posts',
      'Avg Queue Time',
      '6.4 h',
    ]) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(screen.getByText(/in UTC/u)).toBeVisible();
    const state = /Queue Status|Posting Interval|Next Post|Posts in Queue/gu;
    expect(screen.getByRole('main').textContent?.match(state)).toEqual(['Queue Status', 'Posting Interval', 'Next Post', 'Posts in Queue']);
  });

  it('requests the first page with the default filters', async () => {
    const api = start([queueItemSample]);
    renderScreen('/admin/instagram-queue');
    await screen.findByText('Total Posts');
    expect(api.calls('GET', '/api/instagram-queue').map(({ query }) => query)).toContainEqual({
      sortBy: 'scheduling.scheduledFor',
      sortOrder: 'asc',
      page: '1',
      limit: '20',
    });
  });

  it('shows all times in the time zone of the queue', async () => {
    start([queueItemSample], { timeBlocking: { ...queueStatusSample.timeBlocking, timeZone: 'Asia/Tokyo' } });
    renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('Times are in Asia/Tokyo.')).toBeVisible();
    expect(await screen.findByText(/queued 21 Nov, 18:00/u)).toBeVisible();
    expect(screen.getByText(/^21 Nov, 20:05/u)).toBeVisible();
  });

  it('hides the post count of an empty queue and links to Processed Content', async () => {
    start([], { totalInQueue: 0, nextPost: null });
    renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('No posts in queue.')).toBeVisible();
    expect(screen.getByText('Add content from the Processed Content page to start building your posting schedule.')).toBeVisible();
    await screen.findByText('Queue Status');
    expect(screen.queryByText('Posts in Queue')).toBeNull();
  });

  it('starts and stops the queue', async () => {
    const api = start([], { isRunning: false }).on('POST /api/instagram-queue/start', apiSamples.instagramQueue.start.response);
    const { user } = renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('Stopped')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Start Queue' }));
    await waitFor(() => expect(api.calls('POST', '/api/instagram-queue/start')).toHaveLength(1));
  });

  it('shows due, unscheduled and unconfirmed items differently', async () => {
    const due = { ...queueItemSample.scheduling, scheduledFor: '2020-01-01T00:00:00.000Z' };
    start([
      withStatus('scheduled', { scheduling: due }),
      withStatus('pending', { _id: queueItemSample._id.replace(/.$/u, 'a'), scheduling: { ...due, scheduledFor: null } }),
      withStatus('posting', {
        _id: queueItemSample._id.replace(/.$/u, 'b'),
        removable: false,
        outcome: 'unknown',
        sourceData: { postTitle: null, subreddit: null, originalRedditUrl: null },
      }),
    ]);
    renderScreen('/admin/instagram-queue');
    for (const text of ['Ready to post', 'Not scheduled', 'Untitled', 'unknown', /it is not posted twice/u]) {
      expect(await within(await screen.findByRole('table')).findByText(text)).toBeVisible();
    }
    expect(screen.getAllByRole('button', { name: 'Remove' })).toHaveLength(2);
    expect(screen.getByLabelText('Priority of Untitled')).toBeDisabled();
  });

  it('publishes a post that the copyright check holds after a confirmation', async () => {
    const waiting = { state: 'rights_checking', reason: 'The copyright check failed.', until: null, held: true } as const;
    const api = start([withStatus('posting', { waiting })]).on(
      'POST /api/instagram-queue/*/publish-anyway',
      apiSamples.instagramQueue.publishAnyway.response,
    );
    const { user } = renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('Waiting: The copyright check failed.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Publish anyway' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Publish anyway' }));
    await waitFor(() => expect(api.calls('POST', `/api/instagram-queue/${queueItemSample._id}/publish-anyway`)).toHaveLength(1));
  });

  it('saves the policy for videos without a copyright check result', async () => {
    const api = start([]).on('PUT /api/instagram-queue/unchecked-posts', apiSamples.instagramQueue.setUncheckedPosts.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Settings' }));
    await user.click(await screen.findByRole('combobox', { name: 'Videos without a copyright check result' }));
    await user.click(screen.getByRole('option', { name: 'Publish' }));
    await user.click(screen.getByRole('button', { name: 'Save Policy' }));
    await waitFor(() =>
      expect(api.calls('PUT', '/api/instagram-queue/unchecked-posts').map(({ body }) => body)).toEqual([
        { uncheckedPosts: 'publish', replaces: { uncheckedPosts: queueStatusSample.uncheckedPosts } },
      ]),
    );
  });

  it('resolves an unconfirmed post by the statement of the administrator', async () => {
    const settle = 'POST /api/instagram-queue/*/settle';
    const api = start([withStatus('posting', { outcome: 'unknown' })]).on(settle, apiSamples.instagramQueue.settle.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Resolve' }));
    const permalink = 'https://www.instagram.com/reel/Cabc/';
    await user.type(await screen.findByLabelText('Link to the post (optional)'), permalink);
    expect(screen.getByRole('button', { name: 'Not published' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Published' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.calls('POST', `/api/instagram-queue/${queueItemSample._id}/settle`)[0]?.body).toEqual({ outcome: 'live', permalink });
  });

  it('gives out files and caption of a post that the API refuses, and records that a person published it', async () => {
    const inApp = '/api/instagram-queue/*/in-app';
    const api = start([withStatus('failed', { finishInApp: true })])
      .on(`GET ${inApp}`, apiSamples.instagramQueue.inAppTask.response)
      .on(`POST ${inApp}`, apiSamples.instagramQueue.publishedInApp.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Finish in the app' }));
    const { caption, files } = apiSamples.instagramQueue.inAppTask.response.data;
    expect(await screen.findByRole('link', { name: `Save file 1: ${files[0]?.fileName}` })).toHaveAttribute('href', files[0]?.url);
    expect(screen.getByLabelText('Caption')).toHaveValue(caption);
    expect(screen.getByText('Invite as collaborators: @hillwalker, @valley.pictures')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'I published it' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.calls('POST', `/api/instagram-queue/${queueItemSample._id}/in-app`)[0]?.body).toEqual({});
  });

  it('offers the app only for a post that the API refused for good', async () => {
    start([withStatus('failed', { finishInApp: false })]);
    renderScreen('/admin/instagram-queue');
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Finish in the app' })).toBeNull();
  });

  it('shows and changes the queue of the selected account when there are several', async () => {
    const { accounts, ...rest } = apiSamples.instagramAccounts.list.response.data as InstagramAccounts;
    const [first] = accounts;
    if (first === undefined) throw new Error('the sample has no account');
    const second = { ...first, id: '0197bbbb-0000-7000-8000-000000000002', username: 'second.page' };
    const api = start([queueItemSample])
      .on('GET /api/instagram-accounts', { success: true, data: { ...rest, accounts: [{ ...first, username: 'first.page' }, second] } })
      .on('POST /api/instagram-queue/stop', apiSamples.instagramQueue.stop.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('combobox', { name: 'Account' }));
    await user.click(await screen.findByRole('option', { name: '@second.page' }));
    for (const path of ['', '/status', '/statistics']) {
      await waitFor(() => expect(api.calls('GET', `/api/instagram-queue${path}`).at(-1)?.query['accountId']).toBe(second.id));
    }
    await user.click(await screen.findByRole('button', { name: 'Stop Queue' }));
    await waitFor(() => expect(api.calls('POST', '/api/instagram-queue/stop')[0]?.query).toEqual({ accountId: second.id }));
  });

  it('names no account while there is one', async () => {
    const api = start([queueItemSample]);
    renderScreen('/admin/instagram-queue');
    await screen.findByLabelText(/^Priority of/u);
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull();
    expect(api.calls('GET', '/api/instagram-queue/status')[0]?.query).toEqual({});
  });

  it('saves a priority from 0 to 10 and resets any other value', async () => {
    const api = start([queueItemSample]).on('PUT /api/instagram-queue/*/priority', apiSamples.instagramQueue.setPriority.response);
    const { user } = renderScreen('/admin/instagram-queue');
    const field = await screen.findByLabelText(/^Priority of/u);
    await user.clear(field);
    await user.type(field, '11{Enter}');
    expect(field).toHaveValue(5);
    await user.clear(field);
    await user.type(field, '10{Enter}');
    await waitFor(() =>
      expect(api.calls('PUT', `/api/instagram-queue/${queueItemSample._id}/priority`)[0]?.body).toEqual({ priority: 10 }),
    );
  });

  it('removes a pending item', async () => {
    const api = start([queueItemSample]).on('DELETE /api/instagram-queue/*', { success: true, message: 'Done' });
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(api.calls('DELETE', `/api/instagram-queue/${queueItemSample._id}`)).toHaveLength(1));
  });

  it('shows the error message', async () => {
    start([]).fail('GET /api/instagram-queue', 'The database is away');
    renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
  });
});

describe('Instagram queue, load errors', () => {
  it.each(['status', 'statistics'])('shows that the %s failed to load and retries', async (part) => {
    const path = `GET /api/instagram-queue/${part}`;
    const api = start([queueItemSample]).fail(path, 'The database is away');
    const { user } = renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    start([queueItemSample]);
    expect(api.calls('GET', `/api/instagram-queue/${part}`)).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(screen.queryByText('Error: The database is away')).toBeNull());
    expect(await screen.findByText(part === 'status' ? 'Queue Status' : 'Total Posts')).toBeVisible();
  });
});

describe('Instagram queue, settings', () => {
  const open = async (api: FakeApi) => {
    const { user } = renderScreen('/admin/instagram-queue');
    await screen.findByText('Queue Status');
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    return { user, panel: within(await screen.findByRole('region', { name: 'Settings' })), api };
  };

  it('disables Save for an interval below 30 minutes', async () => {
    const { user, panel, api } = await open(
      start([]).on('PUT /api/instagram-queue/interval', apiSamples.instagramQueue.setInterval.response),
    );
    expect(panel.getByText('Minimum interval is 30 minutes, recommended 2+ hours')).toBeVisible();
    const field = panel.getByLabelText('Posting interval (minutes)');
    await user.clear(field);
    await user.type(field, '29');
    expect(panel.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.clear(field);
    await user.type(field, '30');
    await user.click(panel.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(api.calls('PUT', '/api/instagram-queue/interval')[0]?.body).toEqual({
        intervalMinutes: 30,
        replaces: { intervalMinutes: 120 },
      }),
    );
  });

  it('shows the new value where another person saved first, and saves nothing', async () => {
    const refused = 'These settings were changed meanwhile. Check the new values, then save again to replace them.';
    const { user, panel, api } = await open(start([]).fail('PUT /api/instagram-queue/interval', refused, 409));
    const field = panel.getByLabelText('Posting interval (minutes)');
    await user.clear(field);
    await user.type(field, '45');
    api.on('GET /api/instagram-queue/status', { success: true, data: { ...queueStatusSample, intervalMinutes: 90 } });
    await user.click(panel.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(`Error: ${refused}`)).toBeVisible();
    await waitFor(() => expect(panel.getByLabelText('Posting interval (minutes)')).toHaveValue(90));
  });

  it('keeps unsaved input of one group when another group is saved', async () => {
    const { user, panel, api } = await open(
      start([]).on('PUT /api/instagram-queue/interval', apiSamples.instagramQueue.setInterval.response),
    );
    await user.clear(panel.getByLabelText('Maximum random delay (minutes)'));
    await user.type(panel.getByLabelText('Maximum random delay (minutes)'), '45');
    api.on('GET /api/instagram-queue/status', { success: true, data: { ...queueStatusSample, intervalMinutes: 90 } });
    await user.clear(panel.getByLabelText('Posting interval (minutes)'));
    await user.type(panel.getByLabelText('Posting interval (minutes)'), '90');
    await user.click(panel.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('90 minutes')).toBeVisible();
    expect(await screen.findByText('Settings saved')).toBeVisible();
    expect(panel.getByLabelText('Maximum random delay (minutes)')).toHaveValue(45);
  });

  it('saves the blocked hours and the random delay', async () => {
    const { user, panel, api } = await open(
      start([])
        .on('PUT /api/instagram-queue/time-blocking', apiSamples.instagramQueue.setTimeBlocking.response)
        .on('PUT /api/instagram-queue/randomization', apiSamples.instagramQueue.setRandomization.response),
    );
    expect(panel.getByText(/12:00 AM to 6:00 AM blocks midnight to 6 AM/u)).toBeVisible();
    await user.click(panel.getByLabelText('Block posting during certain hours'));
    await user.click(panel.getByRole('button', { name: 'Save Time Settings' }));
    const delay = panel.getByLabelText('Maximum random delay (minutes)');
    await user.clear(delay);
    await user.type(delay, '-1');
    expect(panel.getByRole('button', { name: 'Save Randomization' })).toBeDisabled();
    await user.clear(delay);
    await user.type(delay, '0');
    await user.click(panel.getByRole('button', { name: 'Save Randomization' }));
    await waitFor(() =>
      expect(api.calls('PUT', '/api/instagram-queue/randomization')[0]?.body).toEqual({
        ...{ enabled: true, maxDelayMinutes: 0 },
        replaces: { enabled: true, maxDelayMinutes: 15 },
      }),
    );
    expect(api.calls('PUT', '/api/instagram-queue/time-blocking')[0]?.body).toEqual({
      enabled: true,
      startTime: '00:00',
      endTime: '06:00',
      replaces: { enabled: false, startTime: '00:00', endTime: '06:00' },
    });
  });
});

describe('Instagram queue, filters', () => {
  it('resets to page 1 when a filter changes and keeps filters and page in the URL', async () => {
    const pages = { currentPage: 3, totalPages: 4, totalCount: 77, hasPrevPage: true, hasNextPage: true };
    const api = start([queueItemSample]).on('GET /api/instagram-queue', {
      success: true,
      data: { posts: [queueItemSample], pagination: pages },
    });
    const { user, router } = renderScreen('/admin/instagram-queue?page=3');
    expect(await screen.findByText('Page 3 of 4 (77 total posts)')).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'Sort by' }));
    await user.click(await screen.findByRole('option', { name: 'Queue Time' }));
    expect(router.state.location.search).toBe('?sortBy=scheduling.queuedAt');
    await waitFor(() =>
      expect(api.requests.at(-1)?.query).toEqual({ sortBy: 'scheduling.queuedAt', sortOrder: 'asc', page: '1', limit: '20' }),
    );
  });

  it('offers exactly the specified statuses', async () => {
    start([]);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('combobox', { name: 'Status' }));
    const names = (await screen.findAllByRole('option')).map((option) => option.textContent);
    expect(names).toEqual(['All', 'Pending', 'Scheduled', 'Posting', 'Posted', 'Failed', 'Cancelled']);
  });
});

describe('Instagram queue, alerts', () => {
  const due = { title: 'Fog', scheduledFor: '2020-01-01T00:00:00.000Z' };

  it('warns that the queue is stopped while posts are due and offers to start it', async () => {
    const api = start([], { isRunning: false, nextPost: due, hold: null }).on(
      'POST /api/instagram-queue/start',
      apiSamples.instagramQueue.start.response,
    );
    const { user } = renderScreen('/admin/instagram-queue');
    const alarm = await screen.findByRole('alert');
    expect(within(alarm).getByText('The queue is stopped and posts are due.')).toBeVisible();
    await user.click(within(alarm).getByRole('button', { name: 'Start Queue' }));
    await waitFor(() => expect(api.calls('POST', '/api/instagram-queue/start')).toHaveLength(1));
  });

  it('shows no warning while the queue runs or is stopped with nothing due', async () => {
    start([], { isRunning: true, nextPost: due, hold: null });
    renderScreen('/admin/instagram-queue');
    await screen.findByText('Queue Status');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows why publishing is on hold and until when', async () => {
    start([], { hold: { cause: 'quota', reason: 'The quota is used up.', nextAction: null, until: '2026-11-21T12:00:00.000Z' } });
    renderScreen('/admin/instagram-queue');
    expect(await screen.findByText('Publishing is on hold.')).toBeVisible();
    expect(screen.getByText('The quota is used up.')).toBeVisible();
    expect(screen.getByText(/It resumes at 21 Nov.*12:00 UTC\./u)).toBeVisible();
  });
});

describe('queue item', () => {
  it('can be removed while it is being posted if the server allows it', async () => {
    const posting = (removable: boolean, end: string, postTitle: string) =>
      withStatus('posting', {
        removable,
        _id: queueItemSample._id.replace(/.$/u, end),
        sourceData: { ...queueItemSample.sourceData, postTitle },
      });
    const [held, sent] = [posting(true, 'd', 'Held'), posting(false, 'e', 'Sent')];
    const api = start([held, sent]).on('DELETE /api/instagram-queue/*', { success: true, message: 'Done' });
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(api.calls('DELETE', `/api/instagram-queue/${held._id}`)).toHaveLength(1));
    expect(await screen.findByText('Sent')).toBeVisible();
  });

  it('explains its scheduled time', async () => {
    start([queueItemSample]).on('GET /api/instagram-queue/preview', apiSamples.instagramQueue.preview.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Why this time?' }));
    expect(await screen.findByText('120 minutes after the post before it, plus 7 minutes at random.')).toBeVisible();
  });

  it('restores a removed item with its priority and its pinned time on undo', async () => {
    const scheduledFor = '2030-01-01T10:00:00.000Z';
    const chosen = { ...queueItemSample, priority: 8, scheduling: { ...queueItemSample.scheduling, pinned: true, scheduledFor } };
    const made = { ...queueItemSample, _id: queueItemSample._id.replace(/.$/u, 'c') };
    const api = start([chosen])
      .on('DELETE /api/instagram-queue/*', { success: true, message: 'Done' })
      .on('POST /api/instagram-queue/*', { success: true, data: made })
      .on('PUT /api/instagram-queue/*/priority', { success: true, data: made })
      .on('PUT /api/instagram-queue/*/schedule', apiSamples.instagramQueue.setSchedule.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await user.click(await screen.findByRole('button', { name: /^Undo/u }));
    await waitFor(() =>
      expect(api.calls('PUT', `/api/instagram-queue/${made._id}/schedule`).map(({ body }) => body)).toEqual([{ scheduledFor }]),
    );
    expect(api.calls('POST', `/api/instagram-queue/${queueItemSample.itemId ?? ''}`)[0]?.body).toEqual({
      options: {},
      postImmediately: false,
    });
    expect(api.calls('PUT', `/api/instagram-queue/${made._id}/priority`)[0]?.body).toEqual({ priority: 8 });
  });

  it('keeps the filters visible when loading fails', async () => {
    start([]).fail('GET /api/instagram-queue', 'status must be one of the known words', 400);
    renderScreen('/admin/instagram-queue?status=nonsense');
    expect(await screen.findByText('Error: status must be one of the known words')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Status' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeVisible();
  });

  it('shows failed posts by cause and retries all posts with one cause', async () => {
    const api = start([])
      .on('GET /api/failures/causes', apiSamples.overview.failureCauses.response)
      .on('POST /api/failures/retry', {
        success: true,
        data: { retried: 7, refused: 1 },
      });
    const { user } = renderScreen('/admin/instagram-queue');
    const panel = await screen.findByText('Instagram did not accept a value.');
    expect(panel).toBeVisible();
    expect(screen.getByText('8 posts, newest: Morning fog rolling over the valley')).toBeVisible();
    expect(screen.getByText(/Step: post · Side: Autoposter/u)).toBeVisible();
    expect(screen.getByText('code: 100')).not.toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Retry all 8' }));
    await waitFor(() =>
      expect(api.calls('POST', '/api/failures/retry').map(({ body }) => body)).toEqual([{ cause: 'instagram_value_refused/100' }]),
    );
    expect(await screen.findByText('7 posts queued again, 1 post left as they are')).toBeVisible();
  });

  it('lists and retries the causes of the selected account', async () => {
    const { accounts, ...rest } = apiSamples.instagramAccounts.list.response.data as InstagramAccounts;
    const connected = accounts.filter(({ source }) => source === 'connected');
    const api = start([])
      .on('GET /api/instagram-accounts', { success: true, data: { ...rest, accounts: connected } })
      .on('GET /api/failures/causes', apiSamples.overview.failureCauses.response)
      .on('POST /api/failures/retry', { success: true, data: { retried: 8, refused: 0 } });
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Retry all 8' }));
    const ofAccount = { accountId: connected[0]?.id };
    await waitFor(() => expect(api.calls('POST', '/api/failures/retry').map(({ query }) => query)).toEqual([ofAccount]));
    expect(api.calls('GET', '/api/failures/causes').at(-1)?.query).toEqual(ofAccount);
  });

  it.each([
    ['backlog-limit', 'Late posts before Autoposter asks', 'Save Limit', { backlogLimit: 5, replaces: { backlogLimit: 10 } }],
    ['equal-failures', 'Equal failures before Autoposter stops', 'Save Failures', { equalFailures: 5, replaces: { equalFailures: 2 } }],
  ])('saves the setting %s', async (path, label, save, body) => {
    const api = start([]).on(`PUT /api/instagram-queue/${path}`, apiSamples.instagramQueue.setBacklogLimit.response);
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Settings' }));
    const field = await screen.findByRole('spinbutton', { name: label });
    await user.clear(field);
    await user.type(field, '5');
    await user.click(screen.getByRole('button', { name: save }));
    await waitFor(() => expect(api.calls('PUT', `/api/instagram-queue/${path}`).map((call) => call.body)).toEqual([body]));
  });
});
