import {
  aiProviderSample,
  apiSamples,
  failureEntrySample,
  overviewSample,
  queueItemSample,
  queueStatusSample,
  readyForAiSample,
  readyForDmcaSample,
  STAGE_FACTS,
} from '@autoposter/contracts';
import { focusManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { dismissRun, readRuns, startRun } from '../../data/runs/run-store';
import { lastDays } from '../../data/instagram-queue/use-queue';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { localZone } from '../../preferences/preferences';
import { describeAiError } from './ai-card';

const id = (number: number) => readyForDmcaSample.id.replace(/.$/u, number.toString(16));
const dmcaFiles = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ ...readyForDmcaSample, id: id(index), fileName: `file-${index}.mp4` }));
const list = (data: unknown[]) => ({ success: true, data });

const start = (dmca: unknown[] = [], ai: unknown[] = []) =>
  new FakeApi()
    .on('GET /api/health', apiSamples.health.health.response)
    .on('GET /api/dmca/ready', list(dmca))
    .on('GET /api/ai/ready', list(ai));

const region = (name: string) => screen.findByRole('region', { name });

afterEach(() => {
  for (const { id: run } of readRuns()) dismissRun(run);
});

describe('dashboard', () => {
  it('shows the system status', async () => {
    start();
    renderScreen('/admin');
    expect(await screen.findByRole('heading', { level: 1, name: 'Instagram Auto-Poster Dashboard' })).toBeVisible();
    expect(await screen.findByText('All Systems Operational')).toBeVisible();
    expect(screen.getByText('connected')).toBeVisible();
    expect(screen.getByText(/93784 seconds/u)).toBeVisible();
  });

  it('shows detected system issues', async () => {
    start().on('GET /api/health', { success: true, data: { status: 'unhealthy', database: 'disconnected', uptime: 1 } });
    renderScreen('/admin');
    expect(await screen.findByText('System Issues Detected')).toBeVisible();
  });

  it('does not show a server as healthy that no longer responds', async () => {
    const api = start();
    renderScreen('/admin');
    expect(await screen.findByText('All Systems Operational')).toBeVisible();
    api.fail('GET /api/health', 'The server is away', 503);
    act(() => {
      focusManager.setFocused(false);
      focusManager.setFocused(true);
    });
    expect(await screen.findByText('System Issues Detected')).toBeVisible();
    focusManager.setFocused(undefined);
  });

  it('keeps the focus on Refresh while the files load', async () => {
    const api = start();
    const { user } = renderScreen('/admin');
    const refresh = await screen.findByRole('button', { name: 'Refresh DMCA Data' });
    await screen.findByText('No files ready for DMCA protection');
    api.hold('GET /api/dmca/ready');
    await user.click(refresh);
    await waitFor(() => expect(api.calls('GET', '/api/dmca/ready')).toHaveLength(2));
    expect(refresh).toHaveFocus();
    expect(refresh).toBeEnabled();
    expect(refresh).toHaveAttribute('aria-busy', 'true');
  });

  it('shows the empty states with the next step', async () => {
    start();
    renderScreen('/admin');
    for (const text of [
      'No files ready for DMCA protection',
      'Download some Reddit content first',
      'No files ready for AI processing',
      'Complete DMCA protection first',
    ]) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    for (const button of screen.getAllByRole('button', { name: 'Process All (0)' })) expect(button).toBeDisabled();
  });

  it('counts files that the server does not list', async () => {
    start().on('GET /api/dmca/ready', { success: true, data: dmcaFiles(12), totalCount: 100_000 });
    renderScreen('/admin');
    const card = await region('DMCA Protection');
    expect(await within(card).findByText('And 99997 more files...')).toBeVisible();
    expect(within(card).getByRole('button', { name: 'Process All (10+)' })).toBeEnabled();
  });

  it('lists three files, the number of others, and caps the count at 10+', async () => {
    start(dmcaFiles(12), [readyForAiSample]);
    renderScreen('/admin');
    const card = await region('DMCA Protection');
    expect(await within(card).findByRole('button', { name: 'Process All (10+)' })).toBeEnabled();
    expect(within(card).getAllByRole('button', { name: 'PROCESS DMCA' })).toHaveLength(3);
    expect(within(card).getByText('And 9 more files...')).toBeVisible();
    expect(within(card).getByText('file-0.mp4 · video/mp4 · r/EarthPorn · 8.50 MB')).toBeVisible();
    expect(within(await region('AI Caption Generation')).getByRole('button', { name: 'Process All (1)' })).toBeEnabled();
  });

  it('processes all files with the specified options', async () => {
    const api = start(dmcaFiles(2), [readyForAiSample])
      .on('POST /api/dmca/process-all', apiSamples.dmca.processAll.response)
      .on('POST /api/ai/process-all', apiSamples.ai.processAll.response);
    const { user } = renderScreen('/admin');
    await user.click(await screen.findByRole('button', { name: 'Process All (2)' }));
    await user.click(screen.getByRole('button', { name: 'Process All (1)' }));
    await waitFor(() => expect(api.calls('POST', '/api/ai/process-all')).toHaveLength(1));
    expect(api.calls('POST', '/api/dmca/process-all')[0]?.body).toEqual({ batchSize: 1, delayBetweenFiles: 3000, maxFiles: 100 });
    expect(api.calls('POST', '/api/ai/process-all')[0]?.body).toEqual({
      batchSize: 1,
      delayBetweenFiles: 5000,
      maxFiles: 10,
      tone: 'engaging',
      length: 'medium',
      includeHashtags: true,
      targetAudience: 'general',
      callToAction: true,
    });
  });

  it('refetches the lists about a second after a file was processed', async () => {
    const api = start(dmcaFiles(1)).on('POST /api/dmca/process/*', { success: true, data: { id: id(0), state: 'protecting' } });
    const { user } = renderScreen('/admin');
    await user.click(await screen.findByRole('button', { name: 'PROCESS DMCA' }));
    expect(api.calls('POST', `/api/dmca/process/${id(0)}`)).toHaveLength(1);
    await waitFor(() => expect(api.calls('GET', '/api/dmca/ready').length).toBeGreaterThan(1));
  });

  it('keeps a file busy after a quick answer until the list was refetched', async () => {
    const api = start(dmcaFiles(2)).on('POST /api/dmca/process/*', { success: true, data: { id: id(0), state: 'protecting' } });
    const { user } = renderScreen('/admin');
    const [first, second] = (await screen.findAllByRole('button', { name: 'PROCESS DMCA' })) as [HTMLElement, HTMLElement];
    await user.click(first);
    await waitFor(() => expect(second).toBeEnabled());
    expect(first).toBeDisabled();
    expect(api.calls('POST', `/api/dmca/process/${id(0)}`)).toHaveLength(1);
    await waitFor(() => expect(first).toBeEnabled());
    expect(api.calls('GET', '/api/dmca/ready').length).toBeGreaterThan(1);
  });

  it('shows the errors of a list and of a run', async () => {
    start(dmcaFiles(1)).fail('GET /api/ai/ready', 'The database is away').fail('POST /api/dmca/process-all', 'boom');
    const { user } = renderScreen('/admin');
    expect(await screen.findByText('Error loading AI files: The database is away')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Process All (1)' }));
    expect(await screen.findByText('Failed to process all files')).toBeVisible();
  });

  it('shows Error loading DMCA files with the message', async () => {
    start().fail('GET /api/dmca/ready', 'The database is away');
    renderScreen('/admin');
    expect(await screen.findByText('Error loading DMCA files: The database is away')).toBeVisible();
  });

  it('explains an exceeded AI quota until it is dismissed', async () => {
    start([], [readyForAiSample]).fail('POST /api/ai/process/*', 'Gemini: 429 Resource has been exhausted', 429);
    const { user } = renderScreen('/admin');
    await user.click(await screen.findByRole('button', { name: 'PROCESS AI' }));
    expect(await screen.findByText('API Quota Exceeded')).toBeVisible();
    expect(screen.getByText(/daily quota \(50 requests\/day\) is exceeded/u)).toBeVisible();
    for (const solution of ['Wait 24 hours', 'Upgrade to a paid plan', 'Use a different API key'])
      expect(screen.getByText(solution)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('API Quota Exceeded')).not.toBeInTheDocument();
  });

  it('clears all data only after CLEAR was typed', async () => {
    const api = start().on('DELETE /api/reddit/clear-all', apiSamples.reddit.clearAll.response);
    const { user } = renderScreen('/admin');
    expect(await screen.findByText(/permanently deleted and cannot be undone/u)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear All Data' }));
    const dialog = await screen.findByRole('alertdialog');
    const button = within(dialog).getByRole('button', { name: 'Clear All Data' });
    expect(button).toBeDisabled();
    await user.type(within(dialog).getByLabelText('Type CLEAR to confirm'), 'CLEAR');
    await user.click(button);
    await waitFor(() => expect(api.calls('DELETE', '/api/reddit/clear-all')).toHaveLength(1));
    const notice = await screen.findByText(/^All data cleared: 120 posts, 360 files, 80 captions, 40 in the queue, 900 skipped posts/u);
    expect(notice).toHaveTextContent('1 post may already be published and is kept until that is verified. Clear again afterwards.');
  });
});

describe('dashboard, details', () => {
  it('disables Process All during a run and shows its progress', async () => {
    start(dmcaFiles(2));
    renderScreen('/admin');
    const button = await screen.findByRole('button', { name: 'Process All (2)' });
    expect(button).toBeEnabled();
    act(() => startRun({ title: STAGE_FACTS.processAll.dmca.title, total: 10 }).progress({ done: 3 }));
    expect(await screen.findByText(/^Run: 3 of 10/u)).toBeVisible();
    expect(button).toBeDisabled();
  });

  it('links failures to the failed downloads and other numbers to their screen', async () => {
    const failed = { ...overviewSample.stages.download, failed: 2 };
    const quiet = { ...overviewSample.stages.dmca, failed: 0 };
    const stages = { ...overviewSample.stages, download: failed, dmca: quiet };
    start().on('GET /api/pipeline/overview', { success: true, data: { ...overviewSample, stages } });
    renderScreen('/admin');
    const strip = within(await screen.findByRole('navigation', { name: 'Pipeline' }));
    expect(await strip.findByRole('link', { name: /^Download/u })).toHaveAttribute('href', '/admin/urls?status=failed');
    expect(strip.getByRole('link', { name: /^DMCA/u })).toHaveAttribute('href', '/admin/urls');
    expect(strip.getByRole('link', { name: /^Queue/u })).toHaveAttribute('href', '/admin/instagram-queue');
  });

  it('shows the used AI quota of today', async () => {
    const overview = { ...overviewSample, aiQuota: { used: 37, limit: 50 } };
    start().on('GET /api/pipeline/overview', { success: true, data: overview });
    renderScreen('/admin');
    expect(await screen.findByText('37 of 50 today')).toBeVisible();
    expect(screen.getByRole('meter', { name: 'AI requests' })).toHaveAttribute('aria-valuenow', '37');
  });

  it('shows the next post and the results of the last seven days', async () => {
    const soon = new Date(Date.now() + 90 * 60_000 + 5_000).toISOString();
    const today = { ...queueItemSample, scheduling: { ...queueItemSample.scheduling, scheduledFor: new Date().toISOString() } };
    const old = { ...today, scheduling: { ...today.scheduling, scheduledFor: '2020-01-01T00:00:00.000Z' } };
    start()
      .on('GET /api/instagram-queue/status', {
        success: true,
        data: { ...queueStatusSample, isRunning: false, nextPost: { title: 'Fog', scheduledFor: soon } },
      })
      .reply('GET /api/instagram-queue', ({ query }) => {
        const posts = query['status'] === 'posted' ? [today, today, old] : [today];
        const pagination = { currentPage: 1, totalPages: 1, totalCount: posts.length, hasPrevPage: false, hasNextPage: false };
        return { body: { success: true, data: { posts, pagination } } };
      });
    renderScreen('/admin');
    expect(await screen.findByRole('link', { name: 'Fog' })).toHaveAttribute('href', '/admin/instagram-queue');
    expect(screen.getByText('1h 30m')).toBeVisible();
    expect(screen.getByText('The queue is stopped.')).toBeVisible();
    expect(await screen.findByText(/2 published/u, { selector: 'div' })).toBeVisible();
    expect(screen.getByRole('img', { name: /2 published, 1 failed$/u })).toBeVisible();
  });

  it('does not show a queue as empty that failed to load', async () => {
    const pagination = { currentPage: 1, totalPages: 1, totalCount: 0, hasPrevPage: false, hasNextPage: false };
    start()
      .fail('GET /api/instagram-queue/status', 'The database is away.')
      .on('GET /api/instagram-queue', { success: true, data: { posts: [], pagination } });
    renderScreen('/admin');
    expect(await screen.findByText('Unknown: the queue status could not be loaded')).toBeVisible();
    expect(screen.queryByText('Nothing is scheduled')).toBeNull();
  });

  it('shows the numbers of data to clear and the elapsed time', async () => {
    start()
      .on('GET /api/skipped-posts/statistics', { success: true, data: [{ _id: 'other', reason: 'other', count: 865 }] })
      .hold('DELETE /api/reddit/clear-all');
    const { user } = renderScreen('/admin');
    await user.click(await screen.findByRole('button', { name: 'Clear All Data' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText('Skipped posts: 865')).toBeVisible();
    expect(dialog.getByText(/^Downloads and their files: \d+ posts?$/u)).toBeVisible();
    expect(dialog.getByText(/^Kept: the audit log/u)).toBeVisible();
    await user.type(dialog.getByLabelText('Type CLEAR to confirm'), 'CLEAR');
    await user.click(dialog.getByRole('button', { name: 'Clear All Data' }));
    expect(await dialog.findByText('Clearing, 1 s of at most 30 s')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  });
});

describe('unavailable AI providers', () => {
  const until = new Date(Date.now() + 7_200_000).toISOString();
  const problem = (code: string, more = {}) => ({
    id: `incident of ${code}`,
    code,
    message: 'Gemini says no.',
    nextAction: 'Check it.',
    until,
    ...more,
  });
  const overviewWith = (problemNow: unknown, limit = 20) => ({
    success: true,
    data: { ...overviewSample, aiQuota: { used: 20, limit }, aiProviders: [{ ...aiProviderSample, used: 20, limit, problem: problemNow }] },
  });
  const waiting = {
    ...readyForAiSample,
    state: 'captioning',
    waiting: { until, code: 'quota_exceeded', side: 'gemini', reason: 'Gemini says no.' },
  };
  const card = async () => within(await region('AI Caption Generation'));

  it('are explained after a reload: exceeded quota with solutions and the end of the wait', async () => {
    start([], [waiting]).on('GET /api/pipeline/overview', overviewWith(problem('quota_exceeded')));
    renderScreen('/admin');
    const ai = await card();
    expect(await ai.findByText('API Quota Exceeded')).toBeVisible();
    expect(ai.getByText(/daily quota \(20 requests\/day\) is exceeded/u)).toBeVisible();
    for (const solution of ['Wait 24 hours', 'Upgrade to a paid plan', 'Use a different API key'])
      expect(ai.getByText(solution)).toBeVisible();
    expect(ai.getByText(/^Waiting until .+; the files then continue automatically\.$/u)).toBeVisible();
    // the file stays listed and can be processed alone, but not by Process All
    expect(ai.queryByText('No files ready for AI processing')).toBeNull();
    expect(ai.getByText(/^Waiting until .+: Gemini says no\.$/u)).toBeVisible();
    expect(ai.getByRole('button', { name: 'PROCESS AI' })).toBeEnabled();
    expect(ai.getByRole('button', { name: 'Process All (0)' })).toBeDisabled();
  });

  it('are explained after a reload: invalid key', async () => {
    start([], [waiting]).on('GET /api/pipeline/overview', overviewWith(problem('not_authorised')));
    renderScreen('/admin');
    const ai = await card();
    expect(await ai.findByText('AI Processing Error')).toBeVisible();
    expect(ai.getByText('API authentication failed. Please check your Gemini API key configuration.')).toBeVisible();
  });

  it.each([
    ['PROCESS AI', 'POST /api/ai/process/*', { success: true, data: { id: readyForAiSample.id, state: 'captioning' } }],
    ['Process All (1)', 'POST /api/ai/process-all', apiSamples.ai.processAll.response],
  ])('are explained shortly after %s was accepted', async (button, call, accepted) => {
    const api = start([], [readyForAiSample]).on(call, accepted);
    const { user } = renderScreen('/admin');
    await user.click(await screen.findByRole('button', { name: button }));
    api.on('GET /api/pipeline/overview', overviewWith(problem('quota_exceeded'))).on('GET /api/ai/ready', list([waiting]));
    expect(await screen.findByText('API Quota Exceeded')).toBeVisible();
  });

  it('stay dismissed until the next problem', async () => {
    const api = start([], [waiting])
      .on('GET /api/pipeline/overview', overviewWith(problem('not_authorised')))
      .on('POST /api/ai/process/*', { success: true, data: { id: waiting.id, state: 'captioning' } });
    const { user } = renderScreen('/admin');
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('AI Processing Error')).toBeNull();
    api.on('GET /api/pipeline/overview', overviewWith(problem('quota_exceeded')));
    await user.click(screen.getByRole('button', { name: 'PROCESS AI' }));
    expect(await screen.findByText('API Quota Exceeded')).toBeVisible();
  });

  it('are not shown after their wait has ended', async () => {
    const past = new Date(Date.now() - 1_000).toISOString();
    start().on('GET /api/pipeline/overview', overviewWith(problem('quota_exceeded', { until: past })));
    renderScreen('/admin');
    expect(await screen.findByText('20 of 20 today')).toBeVisible();
    expect(screen.queryByText('API Quota Exceeded')).toBeNull();
  });

  it('are followed by a failed post, which is marked as seen when dismissed', async () => {
    const failure = {
      ...failureEntrySample,
      stage: 'ai',
      code: 'policy',
      message: 'Gemini refuses this content.',
      nextAction: 'Write it by hand.',
    };
    const api = start()
      .on('GET /api/failures', { success: true, data: { unseen: 1, failures: [failure] } })
      .on('POST /api/failures/seen', { success: true, message: 'Seen.' });
    const { user } = renderScreen('/admin');
    const ai = await card();
    expect(await ai.findByText('AI Processing Error')).toBeVisible();
    expect(ai.getByText(/^AI processing failed: .*Gemini refuses this content\.$/u)).toBeVisible();
    expect(ai.getByText('Write it by hand.')).toBeVisible();
    await user.click(ai.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(api.calls('POST', '/api/failures/seen')[0]?.body).toEqual({ ids: [failure.id] }));
    expect(ai.queryByText('AI Processing Error')).toBeNull();
  });

  it('have one quota meter each', async () => {
    const groq = { ...aiProviderSample, provider: 'groq', name: 'Groq', used: 3 };
    start().on('GET /api/pipeline/overview', { success: true, data: { ...overviewSample, aiProviders: [aiProviderSample, groq] } });
    renderScreen('/admin');
    expect(await screen.findByRole('meter', { name: 'AI requests (Groq)' })).toHaveAttribute('aria-valuenow', '3');
    expect(screen.getByRole('meter', { name: 'AI requests (Gemini)' })).toHaveAttribute('aria-valuenow', '37');
  });
});

describe('last seven days', () => {
  it('start at seven midnights, the last one today', () => {
    const days = lastDays(new Date(2026, 2, 31, 15, 30), localZone());
    expect(days.map((day) => new Date(day).getDate())).toEqual([25, 26, 27, 28, 29, 30, 31]);
    expect(days.every((day) => new Date(day).getHours() === 0)).toBe(true);
  });
});

describe('AI errors', () => {
  it.each([
    ['HTTP 429', 'API Quota Exceeded'],
    ['daily quota reached', 'API Quota Exceeded'],
    ['Resource has been exhausted', 'API Quota Exceeded'],
    ['401 from Gemini', 'AI Processing Error'],
    ['something else', 'AI Processing Error'],
  ])('explains "%s" as "%s"', (text, headline) => {
    expect(describeAiError(text).headline).toBe(headline);
  });

  it('follows the code of an answer and not the words of its message', () => {
    expect(describeAiError('No more today.', { code: 'quota_exceeded' }).headline).toBe('API Quota Exceeded');
    expect(describeAiError('The quota page is unreadable.', { code: 'transient' }).headline).toBe('AI Processing Error');
    expect(describeAiError('Too many requests; the quota of calls is used.', { code: 'too_many_requests' }).headline).toBe(
      'AI Processing Error',
    );
    expect(describeAiError('Key refused.', { code: 'not_authorised' }).message).toContain('API authentication failed');
  });

  it('describes an authentication failure and an unknown error', () => {
    expect(describeAiError('authentication failed').message).toBe(
      'API authentication failed. Please check your Gemini API key configuration.',
    );
    expect(describeAiError('').message).toBe('AI processing failed');
    expect(describeAiError('', { fallback: 'Failed to process all AI files' }).message).toBe('Failed to process all AI files');
  });
});
