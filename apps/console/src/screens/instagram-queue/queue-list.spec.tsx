import { apiSamples, queueItemSample, queueStatusSample, type QueueItem } from '@autoposter/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const post = (number: number, status: QueueItem['status'], change: Partial<QueueItem> = {}): QueueItem => ({
  ...queueItemSample,
  _id: queueItemSample._id.replace(/.$/u, number.toString(16)),
  itemId: queueItemSample._id.replace(/..$/u, `a${number}`),
  status,
  removable: status === 'scheduled',
  sourceData: { ...queueItemSample.sourceData, postTitle: `Post ${number}` },
  ...change,
});
const POSTS = [post(1, 'scheduled', { priority: 3 }), post(2, 'failed'), post(3, 'scheduled'), post(4, 'posted')];
const pagination = { currentPage: 1, totalPages: 2, totalCount: 24, hasPrevPage: false, hasNextPage: true };

const start = () =>
  new FakeApi()
    .on('GET /api/instagram-queue', { success: true, data: { posts: POSTS, pagination } })
    .on('GET /api/instagram-queue/status', { success: true, data: queueStatusSample })
    .on('GET /api/instagram-queue/statistics', apiSamples.instagramQueue.statistics.response)
    .on('DELETE /api/instagram-queue/*', { success: true, message: 'Done' })
    .on('POST /api/instagram-queue/*', apiSamples.instagramQueue.enqueue.response)
    .on('PUT /api/instagram-queue/*/priority', apiSamples.instagramQueue.setPriority.response);

const box = (number: number) => screen.findByRole('checkbox', { name: `Select Post ${number}` });
const made = (api: FakeApi, method: string) => api.requests.filter((asked) => asked.method === method);
const paths = (posts: readonly (QueueItem | undefined)[], end = '') => posts.map((one) => `/api/instagram-queue/${one?._id ?? ''}${end}`);

describe('queue bulk actions', () => {
  it('remove posts after one confirmation, refetch once, and undo together', async () => {
    const api = start();
    const { user } = renderScreen('/admin/instagram-queue');
    await user.click(await box(1));
    fireEvent.click(await box(3), { shiftKey: true });
    const bar = await screen.findByRole('region', { name: '3 selected' });
    const before = api.calls('GET', '/api/instagram-queue/statistics').length;
    await user.click(within(bar).getByRole('button', { name: 'Remove' }));
    const question = await screen.findByRole('alertdialog', { name: 'Remove 2 posts from the queue?' });
    expect(made(api, 'DELETE')).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('2 posts removed from the queue')).toBeVisible();
    expect(made(api, 'DELETE').map(({ path }) => path)).toEqual(paths([POSTS[0], POSTS[2]]));
    await waitFor(() => expect(api.calls('GET', '/api/instagram-queue/statistics')).toHaveLength(before + 1));
    expect(screen.queryByRole('region', { name: /selected/u })).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Undo/u }));
    await waitFor(() => expect(made(api, 'POST').map(({ path }) => path)).toHaveLength(2));
    expect(made(api, 'PUT').map(({ body }) => body)).toContainEqual({ priority: 3 });
  });

  it('set one priority from 0 to 10 and report each failure', async () => {
    const api = start().fail(`PUT /api/instagram-queue/${POSTS[1]?._id ?? ''}/priority`, 'It is gone', 404);
    const { user } = renderScreen('/admin/instagram-queue');
    await box(1);
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    const bar = within(await screen.findByRole('region', { name: '3 selected' }));
    const field = bar.getByLabelText('Priority');
    await user.clear(field);
    await user.type(field, '11');
    expect(bar.getByRole('button', { name: 'Set priority' })).toBeDisabled();
    await user.clear(field);
    await user.type(field, '9');
    await user.click(bar.getByRole('button', { name: 'Set priority' }));
    const question = await screen.findByRole('alertdialog', { name: 'Set the priority of 3 posts to 9?' });
    await user.click(within(question).getByRole('button', { name: 'Set priority' }));
    expect(await screen.findByText('2 posts set to priority 9')).toBeVisible();
    expect(await screen.findByText('Error: It is gone')).toBeVisible();
    expect(made(api, 'PUT').map(({ path, body }) => [path, body])).toEqual(
      paths(POSTS.slice(0, 3), '/priority').map((path) => [path, { priority: 9 }]),
    );
  });

  it('exclude published posts and clear the selection on another page', async () => {
    start();
    const { user } = renderScreen('/admin/instagram-queue');
    expect(await box(4)).toBeDisabled();
    await user.keyboard('{Control>}a{/Control}');
    await screen.findByRole('region', { name: '3 selected' });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: /selected/u })).toBeNull();
    await user.click(await box(1));
    await screen.findByRole('region', { name: '1 selected' });
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: /selected/u })).toBeNull());
  });
});

it('posts a waiting post out of turn after a confirmation that shows its caption', async () => {
  const api = start();
  const { user } = renderScreen('/admin/instagram-queue');
  await box(1);
  const buttons = screen.getAllByRole('button', { name: 'Post Now' });
  // only the scheduled posts 1 and 3
  expect(buttons).toHaveLength(2);
  await user.click(buttons[1] as HTMLElement);
  const question = await screen.findByRole('alertdialog', { name: 'Post this now?' });
  expect(within(question).getByText(queueItemSample.postData.caption ?? '')).toBeVisible();
  expect(made(api, 'POST')).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Post Now' }));
  expect(await screen.findByText('Post 3 is being published')).toBeVisible();
  expect(made(api, 'POST').map(({ path, body }) => [path, body])).toEqual([
    [`/api/instagram-queue/${POSTS[2]?.itemId ?? ''}`, { postImmediately: true }],
  ]);
});
