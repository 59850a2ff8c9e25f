import { contentDetailsSample, failedDownloadSample, type ContentDetails, type StageRun, type TimelineEntry } from '@autoposter/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { barPosition, stageRows } from './item-timeline';

const at = (seconds: number) => new Date(Date.parse('2026-11-21T09:00:00.000Z') + seconds * 1000).toISOString();
const run = (stage: StageRun['stage'], from: number, to: number | null, part: Partial<StageRun> = {}): StageRun => ({
  stage,
  state: to === null ? 'running' : 'done',
  attempts: 1,
  maxAttempts: 3,
  requestedAt: at(from),
  startedAt: at(from + 1),
  finishedAt: to === null ? null : at(to),
  dueAt: null,
  waitReason: null,
  failure: null,
  endings: [],
  ...part,
});
const fact = (seq: number, type: string, seconds: number): TimelineEntry => ({
  seq,
  type,
  stage: null,
  state: null,
  reason: null,
  actor: 'system',
  occurredAt: at(seconds),
});
const item = (part: Partial<ContentDetails>): ContentDetails => ({ ...contentDetailsSample, processingErrors: [], timeline: [], ...part });
const words = (details: ContentDetails) => stageRows(details).map((row) => `${row.stage} ${row.state}`);

describe('stageRows', () => {
  it('lists every job, each stay in the queue, and the stages to come', () => {
    const stages = [run('download', 0, 10), run('dmca', 10, 20), run('ai', 20, 30)];
    expect(words(item({ stages, state: 'queued', timeline: [fact(1, 'item.queued', 31)] }))).toEqual([
      'download done',
      'dmca done',
      'ai done',
      'queue waiting',
      'post todo',
    ]);
    const timeline = [fact(1, 'item.queued', 31), fact(2, 'item.unqueued', 32), fact(3, 'item.queued', 40), fact(4, 'post.requested', 50)];
    expect(words(item({ stages: [...stages, run('post', 50, 60)], state: 'posted', timeline }))).toEqual([
      'download done',
      'dmca done',
      'ai done',
      'queue cancelled',
      'queue done',
      'post done',
    ]);
  });

  it('shows the error at its stage and no later stage', () => {
    const failed = item({ state: 'failed', stages: [run('download', 0, 9)], processingErrors: failedDownloadSample.processingErrors });
    const [row, ...others] = stageRows(failed);
    expect([row?.state, row?.error?.message, others]).toEqual(['dead', expect.stringContaining('no longer has the video'), []]);
  });

  it('splits the time into waiting and running', () => {
    const rows = stageRows(item({ state: 'downloading', stages: [run('download', 0, 5), run('dmca', 5, null)] }));
    expect(barPosition(rows[0]!, rows, Date.parse(at(10)))).toEqual({ left: 0, waited: 10, ran: 40 });
    expect(barPosition(rows[1]!, rows, Date.parse(at(10)))).toEqual({ left: 50, waited: 10, ran: 40 });
    expect(barPosition(rows.at(-1)!, rows, 0)).toBeNull();
  });
});

describe('item screen', () => {
  const path = `/admin/items/${contentDetailsSample.id}`;

  it('shows attempts with their results and the history with its actors', async () => {
    const timeline = [
      { ...fact(1, 'item.edited', 3), actor: 'ada@example.com' },
      { ...fact(2, 'stage.waiting', 4), reason: 'The quota is used up.' },
    ];
    new FakeApi().on('GET /api/content/*', { success: true, data: item({ timeline }) });
    renderScreen(path);
    expect(await screen.findByRole('heading', { level: 1, name: contentDetailsSample.title })).toBeVisible();
    const way = screen.getByRole('list', { name: 'Timeline' });
    expect(within(way).getByText('Attempt 2 of 3')).toBeVisible();
    expect(within(way).getByText(/Attempt 1 ended: The connection was cut\./u)).toBeVisible();
    const history = screen.getByRole('list', { name: 'History' });
    expect(within(history).getByText('Caption edited')).toBeVisible();
    expect(within(history).getByText('ada@example.com')).toBeVisible();
    expect(within(history).getByText('Waiting: The quota is used up.')).toBeVisible();
    expect(screen.getByText('Rights check: Clear')).toBeVisible();
  });

  it('saves a manual caption if none was generated', async () => {
    const message = 'Gemini refuses this content. Write it by hand.';
    const processingErrors = [{ stage: 'ai', message, timestamp: at(9), nextAction: 'Write it by hand.' }];
    const refused = item({ state: 'failed', failedStage: 'ai', aiContent: null, stages: [run('ai', 0, 9)], processingErrors });
    const api = new FakeApi()
      .on('GET /api/content/*', { success: true, data: refused })
      .on('PUT /api/ai/update-caption/*', { success: true, data: contentDetailsSample });
    const { user } = renderScreen(path);
    const caption = await screen.findByRole('region', { name: 'Caption' });
    expect(screen.getByText(/Write it by hand\./u)).toHaveTextContent(message);
    await user.click(within(caption).getByRole('button', { name: 'Write caption' }));
    await user.type(within(caption).getByRole('textbox', { name: 'Caption' }), 'Fog over the valley');
    api.on('GET /api/content/*', { success: true, data: item({ state: 'ready' }) });
    await user.click(within(caption).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Caption' })).toBeNull());
    expect(api.calls('PUT', `/api/ai/update-caption/${contentDetailsSample.id}`)[0]?.body).toEqual({
      caption: 'Fog over the valley',
      replaces: { caption: '', hashtags: [] },
    });
  });

  it('keeps an unsaved caption when the post moves on and asks before leaving', async () => {
    const waiting = item({ state: 'captioning', waiting: { until: null, reason: 'The quota is used up.' }, aiContent: null });
    const api = new FakeApi()
      .on('GET /api/content/*', { success: true, data: waiting })
      .on('PUT /api/ai/update-caption/*', { success: true, data: contentDetailsSample });
    const { user, router } = renderScreen(path);
    await user.click(await screen.findByRole('button', { name: 'Write caption' }));
    await user.type(screen.getByRole('textbox', { name: 'Caption' }), 'Mine');
    api.on('GET /api/content/*', { success: true, data: item({ state: 'ready' }) });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText(/^The post moved on in the meantime\./u)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Caption' })).toHaveValue('Mine');
    await user.click(screen.getByRole('link', { name: 'Claim this work' }));
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving the caption?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(router.state.location.pathname).toBe(path);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Caption' })).toBeNull());
    expect(api.calls('PUT', `/api/ai/update-caption/${contentDetailsSample.id}`)[0]?.body).toEqual({
      caption: 'Mine',
      replaces: { caption: contentDetailsSample.aiContent?.caption, hashtags: contentDetailsSample.aiContent?.hashtags },
    });
  });

  it('does not carry an unsaved caption over to another post', async () => {
    const other = item({ id: '6f0f6f3e-4c5f-4a43-9b0e-6f0f6f3e4c50', title: 'Another post', state: 'ready' });
    const waiting = item({ state: 'captioning', waiting: { until: null, reason: 'The quota is used up.' }, aiContent: null });
    new FakeApi()
      .on(`GET /api/content/${other.id}`, { success: true, data: other })
      .on(`GET /api/content/${waiting.id}`, { success: true, data: waiting });
    const { user, router } = renderScreen(`/admin/items/${other.id}`);
    await screen.findByRole('heading', { level: 1, name: other.title });
    act(() => void router.navigate(path));
    await user.click(await screen.findByRole('button', { name: 'Write caption' }));
    await user.type(screen.getByRole('textbox', { name: 'Caption' }), 'Mine');
    act(() => void router.navigate(-1));
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving the caption?' });
    await user.click(within(question).getAllByRole('button').at(-1)!);
    await screen.findByRole('heading', { level: 1, name: other.title });
    expect(screen.queryByRole('region', { name: 'Caption' })).toBeNull();
  });

  it('shows that a post does not exist and retries', async () => {
    const api = new FakeApi().fail('GET /api/content/*', 'There is no such post.', 404);
    const { user } = renderScreen(path);
    expect(await screen.findByText('There is no such post.')).toBeVisible();
    api.on('GET /api/content/*', { success: true, data: contentDetailsSample });
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { level: 1, name: contentDetailsSample.title })).toBeVisible();
  });

  it('marks a post as materially edited', async () => {
    const api = new FakeApi()
      .on('GET /api/content/*', { success: true, data: item({ state: 'ready' }) })
      .on('GET /api/rights/items/*/originality', { success: true, data: { mark: null } })
      .on('PUT /api/rights/items/*/originality', { success: true, data: { mark: 'edited' } });
    const { user } = renderScreen(path);
    await user.click(await screen.findByRole('combobox', { name: 'Originality' }));
    await user.click(await screen.findByRole('option', { name: 'Materially edited' }));
    expect(await screen.findByText('Originality saved')).toBeVisible();
    expect(api.calls('PUT', `/api/rights/items/${contentDetailsSample.id}/originality`)[0]?.body).toEqual({ mark: 'edited' });
  });
});
