import { apiSamples, deadLetterEntrySample, type DeadLetterEntry, type Pipeline } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';

const page = (posts: unknown[]) => ({
  success: true,
  data: { posts, pagination: { currentPage: 1, totalPages: 1, totalCount: posts.length, hasPrevPage: false, hasNextPage: false } },
});
const start = (letters: DeadLetterEntry[] = [deadLetterEntrySample], quarantined: unknown = apiSamples.stages.quarantine.response) =>
  new FakeApi()
    .on('GET /api/pipeline', apiSamples.stages.now.response)
    .on('GET /api/pipeline/dead-letters', page(letters))
    .on('GET /api/pipeline/quarantine', quarantined);

describe('the pipeline screen', () => {
  it('shows every stage with its work, and who works on what', async () => {
    start();
    renderApp('/admin/pipeline');
    const download = await screen.findByRole('article', { name: 'Download' });
    for (const text of ['4', '1 worker', 'Retrying 1', 'Lag 5', 'The oldest has waited 42 s', 'Morning fog rolling over the valley'])
      expect(within(download).getByText(text)).toBeVisible();
    expect(screen.getAllByRole('article').map((tile) => within(tile).getByRole('heading').textContent)).toEqual([
      'Collect',
      'Download',
      'DMCA',
      'AI',
      'Post',
      'Reconcile',
    ]);
    expect(within(screen.getByRole('article', { name: 'AI' })).getByText('No worker has reported')).toBeVisible();
  });

  it('says what keeps a stage from working', async () => {
    const { data } = apiSamples.stages.now.response as { data: Pipeline };
    const notice = 'Gemini does not list the model "gemini-old".';
    const stages = data.stages.map((stage) => (stage.stage === 'ai' ? { ...stage, notice } : stage));
    start().on('GET /api/pipeline', { success: true, data: { ...data, stages } });
    renderApp('/admin/pipeline');
    const ai = await screen.findByRole('article', { name: 'AI' });
    expect(within(ai).getByRole('status')).toHaveTextContent(notice);
    expect(within(screen.getByRole('article', { name: 'DMCA' })).queryByRole('status')).toBeNull();
  });

  it('shows how many messages the event bus refuses', async () => {
    const { data } = apiSamples.stages.now.response as { data: Pipeline };
    start().on('GET /api/pipeline', { success: true, data: { ...data, outbox: { waiting: 1200, parked: 17, oldestSeconds: 60 } } });
    renderApp('/admin/pipeline');
    const label = await screen.findByText('Refused by the bus');
    expect(label.parentElement).toHaveTextContent('17');
  });

  it('says why a run was given up and asks for it again', async () => {
    const api = start().on('POST /api/pipeline/dead-letters/*/replay', apiSamples.stages.replay.response);
    const { user } = renderApp('/admin/pipeline');
    expect(await screen.findByText('Reddit did not answer in time.')).toBeVisible();
    expect(screen.getByText(/try it again by hand/u)).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Replay: Morning fog/u }));
    await waitFor(() => expect(api.calls('POST', `/api/pipeline/dead-letters/${deadLetterEntrySample.id}/replay`)).toHaveLength(1));
    expect(await screen.findByText(/^Asked again: Morning fog/u)).toBeVisible();
  });

  it('says that it was asked again though its row has gone by then', async () => {
    const api = start();
    api.reply('POST /api/pipeline/dead-letters/*/replay', () => {
      api.on('GET /api/pipeline/dead-letters', page([]));
      return { body: apiSamples.stages.replay.response };
    });
    const { user } = renderApp('/admin/pipeline');
    await user.click(await screen.findByRole('button', { name: /^Replay: Morning fog/u }));
    expect(await screen.findByText(/^Asked again: Morning fog/u)).toBeVisible();
    expect(screen.getByText('Nothing was given up')).toBeVisible();
  });

  it('names why it cannot be asked for again', async () => {
    start().fail('POST /api/pipeline/dead-letters/*/replay', 'The post is in work already', 409);
    const { user } = renderApp('/admin/pipeline');
    await user.click(await screen.findByRole('button', { name: /^Replay: Morning fog/u }));
    expect(await screen.findByText('Replay failed: The post is in work already')).toBeVisible();
  });

  it('offers no replay where there is none', async () => {
    start([{ ...deadLetterEntrySample, replayable: false }]);
    renderApp('/admin/pipeline');
    expect(await screen.findByText('Not from here')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Replay/u })).toBeNull();
  });

  it('asks before it replays a whole stage', async () => {
    const api = start().on('POST /api/pipeline/dead-letters/replay-all', apiSamples.stages.replayAll.response);
    const { user } = renderApp('/admin/pipeline?stage=download');
    await user.click(await screen.findByRole('button', { name: 'Replay all' }));
    const question = await screen.findByRole('alertdialog', { name: 'Replay everything that was given up in Download?' });
    expect(api.calls('POST', '/api/pipeline/dead-letters/replay-all')).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Replay all' }));
    expect(await screen.findByText('Asked again: 2')).toBeVisible();
    expect(api.calls('POST', '/api/pipeline/dead-letters/replay-all')[0]?.body).toEqual({ stage: 'download' });
    expect(api.calls('GET', '/api/pipeline/dead-letters')[0]?.query).toEqual({ stage: 'download', page: '1' });
  });

  it('shows messages that could not be read', async () => {
    start();
    renderApp('/admin/pipeline');
    expect(await screen.findByText('payload.jobId: Invalid UUID')).toBeVisible();
    expect(screen.getByText('pipeline.dmca.requested.v1')).toBeVisible();
  });

  it('says so when nothing was given up or set aside', async () => {
    start([], page([]));
    renderApp('/admin/pipeline');
    expect(await screen.findByText('Nothing was given up')).toBeVisible();
    expect(await screen.findByText('No message was set aside')).toBeVisible();
  });

  it('names a failure and tries again', async () => {
    const api = start().fail('GET /api/pipeline', 'The database is away');
    const { user } = renderApp('/admin/pipeline');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    api.on('GET /api/pipeline', apiSamples.stages.now.response);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('article', { name: 'Collect' })).toBeVisible();
  });

  it.each([
    ['dead letters', 'GET /api/pipeline/dead-letters', 'Nothing was given up'],
    ['quarantine', 'GET /api/pipeline/quarantine', 'No message was set aside'],
  ])('reads %s again when they could not be read', async (_name, path, empty) => {
    const api = start([], page([])).fail(path, 'The database is away');
    const { user } = renderApp('/admin/pipeline');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    api.on(path, page([]));
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText(empty)).toBeVisible();
  });
});
