import { apiSamples, deadLetterEntrySample, type DeadLetterEntry, LIMITS, type Pipeline } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { count } from '../../ui/format';

const page = (posts: unknown[]) => ({
  success: true,
  data: { posts, pagination: { currentPage: 1, totalPages: 1, totalCount: posts.length, hasPrevPage: false, hasNextPage: false } },
});
const start = (letters: DeadLetterEntry[] = [deadLetterEntrySample], quarantined: unknown = apiSamples.stages.quarantine.response) =>
  new FakeApi()
    .on('GET /api/pipeline', apiSamples.stages.now.response)
    .on('GET /api/pipeline/dead-letters', page(letters))
    .on('GET /api/pipeline/quarantine', quarantined);

describe('pipeline screen', () => {
  it('shows every stage with its jobs and workers', async () => {
    start();
    renderScreen('/admin/pipeline');
    const download = await screen.findByRole('article', { name: 'Download' });
    for (const text of [
      '4',
      '1 worker',
      'Retrying 1',
      'Lag 5',
      'Oldest job: 42 s',
      'Morning fog rolling over the valley',
      'People 1',
      'r/aww 3',
    ])
      expect(within(download).getByText(text)).toBeVisible();
    expect(screen.getAllByRole('article').map((tile) => within(tile).getByRole('heading').textContent)).toEqual([
      'Collect',
      'Download',
      'DMCA',
      'AI',
      'Post',
      'Reconcile',
      'Retrieve',
      'Register',
    ]);
    expect(within(screen.getByRole('article', { name: 'AI' })).getByText('No worker has reported')).toBeVisible();
  });

  it('shows what blocks a stage', async () => {
    const { data } = apiSamples.stages.now.response as { data: Pipeline };
    const notice = 'Gemini does not list the model "gemini-old".';
    const stages = data.stages.map((stage) => (stage.stage === 'ai' ? { ...stage, notice } : stage));
    start().on('GET /api/pipeline', { success: true, data: { ...data, stages } });
    renderScreen('/admin/pipeline');
    const ai = await screen.findByRole('article', { name: 'AI' });
    expect(within(ai).getByRole('status')).toHaveTextContent(notice);
    expect(within(screen.getByRole('article', { name: 'DMCA' })).queryByRole('status')).toBeNull();
  });

  it('shows how many messages the event bus rejects', async () => {
    const { data } = apiSamples.stages.now.response as { data: Pipeline };
    start().on('GET /api/pipeline', { success: true, data: { ...data, outbox: { waiting: 1200, parked: 17, oldestSeconds: 60 } } });
    renderScreen('/admin/pipeline');
    const label = await screen.findByText('Rejected by the bus');
    expect(label.parentElement).toHaveTextContent('17');
  });

  it('marks counts that end at their limit, and says that sources are those of the next jobs', async () => {
    const { data } = apiSamples.stages.now.response as { data: Pipeline };
    const waitingBySource = [
      { source: null, forPerson: true, waiting: 2 },
      { source: 'r/aww', forPerson: false, waiting: 998 },
    ];
    const many = { waiting: LIMITS.countedJobs, waitingBySource };
    const stages = data.stages.map((stage) => ({ ...stage, waiting: 1, ...(stage.stage === 'ai' ? many : {}) }));
    start().on('GET /api/pipeline', { success: true, data: { ...data, stages } });
    renderScreen('/admin/pipeline');
    const ai = await screen.findByRole('article', { name: 'AI' });
    expect(within(ai).getByText('10,000+')).toBeVisible();
    expect(within(ai).getByRole('list', { name: 'The next 1,000 by source' })).toHaveTextContent('r/aww 998');
    expect(within(screen.getByRole('article', { name: 'DMCA' })).getByText('1')).toBeVisible();
    expect(screen.getByText(`${count(LIMITS.countedJobs + stages.length - 1)}+`)).toBeVisible();
  });

  it('shows why a job failed and replays it', async () => {
    const api = start().on('POST /api/pipeline/dead-letters/*/replay', apiSamples.stages.replay.response);
    const { user } = renderScreen('/admin/pipeline');
    expect(await screen.findByText('Reddit did not answer in time.')).toBeVisible();
    expect(screen.getByText(/try it again by hand/u)).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Replay: Morning fog/u }));
    await waitFor(() => expect(api.calls('POST', `/api/pipeline/dead-letters/${deadLetterEntrySample.id}/replay`)).toHaveLength(1));
    expect(await screen.findByText(/^Replayed: Morning fog/u)).toBeVisible();
  });

  it('confirms a replay although its row is already unmounted', async () => {
    const api = start();
    api.reply('POST /api/pipeline/dead-letters/*/replay', () => {
      api.on('GET /api/pipeline/dead-letters', page([]));
      return { body: apiSamples.stages.replay.response };
    });
    const { user } = renderScreen('/admin/pipeline');
    await user.click(await screen.findByRole('button', { name: /^Replay: Morning fog/u }));
    expect(await screen.findByText(/^Replayed: Morning fog/u)).toBeVisible();
    expect(screen.getByText('No failed jobs')).toBeVisible();
  });

  it('shows why a replay failed', async () => {
    start().fail('POST /api/pipeline/dead-letters/*/replay', 'The post is in work already', 409);
    const { user } = renderScreen('/admin/pipeline');
    await user.click(await screen.findByRole('button', { name: /^Replay: Morning fog/u }));
    expect(await screen.findByText('Replay failed: The post is in work already')).toBeVisible();
  });

  it('offers no replay for a job that is not replayable', async () => {
    start([{ ...deadLetterEntrySample, replayable: false }]);
    renderScreen('/admin/pipeline');
    expect(await screen.findByText('Not replayable')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Replay/u })).toBeNull();
  });

  it('replays a whole stage after a confirmation', async () => {
    const api = start().on('POST /api/pipeline/dead-letters/replay-all', apiSamples.stages.replayAll.response);
    const { user } = renderScreen('/admin/pipeline?stage=download');
    await user.click(await screen.findByRole('button', { name: 'Replay all' }));
    const question = await screen.findByRole('alertdialog', { name: 'Replay all failed jobs of Download?' });
    expect(api.calls('POST', '/api/pipeline/dead-letters/replay-all')).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Replay all' }));
    expect(await screen.findByText('Replayed: 2')).toBeVisible();
    expect(api.calls('POST', '/api/pipeline/dead-letters/replay-all')[0]?.body).toEqual({ stage: 'download' });
    expect(api.calls('GET', '/api/pipeline/dead-letters')[0]?.query).toEqual({ stage: 'download', page: '1' });
  });

  it('shows quarantined messages', async () => {
    start();
    renderScreen('/admin/pipeline');
    expect(await screen.findByText('payload.jobId: Invalid UUID')).toBeVisible();
    expect(screen.getByText('pipeline.dmca.requested.v1')).toBeVisible();
  });

  it('shows empty states without dead letters and quarantined messages', async () => {
    start([], page([]));
    renderScreen('/admin/pipeline');
    expect(await screen.findByText('No failed jobs')).toBeVisible();
    expect(await screen.findByText('No quarantined messages')).toBeVisible();
  });

  it('shows a load error and retries', async () => {
    const api = start().fail('GET /api/pipeline', 'The database is away');
    const { user } = renderScreen('/admin/pipeline');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    api.on('GET /api/pipeline', apiSamples.stages.now.response);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('article', { name: 'Collect' })).toBeVisible();
  });

  it.each([
    ['dead letters', 'GET /api/pipeline/dead-letters', 'No failed jobs'],
    ['quarantine', 'GET /api/pipeline/quarantine', 'No quarantined messages'],
  ])('retries %s after a load error', async (_name, path, empty) => {
    const api = start([], page([])).fail(path, 'The database is away');
    const { user } = renderScreen('/admin/pipeline');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    api.on(path, page([]));
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText(empty)).toBeVisible();
  });
});
