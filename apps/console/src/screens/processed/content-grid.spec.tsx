import { apiSamples, contentItemSample, postedItemSample, type ContentItem } from '@autoposter/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { forEachConcurrently } from '../../app/bulk/change-many';
import { Selection } from '../../app/bulk/selection';
import { FakeApi } from '../../testing/fake-api';
import { renderApp, renderScreen } from '../../testing/render-app';
import { filterItems } from './item-filters';

const many = (count: number): ContentItem[] =>
  Array.from({ length: count }, (_none, index) => ({
    ...contentItemSample,
    id: contentItemSample.id.slice(0, -4) + String(index).padStart(4, '0'),
    title: `Post ${index}`,
    subreddit: index % 2 === 0 ? 'aww' : 'EarthPorn',
  }));

const start = (items: ContentItem[]) =>
  new FakeApi()
    .on('GET /api/ai/completed', { success: true, data: items })
    .on('GET /api/instagram/config', { success: true, data: { isConfigured: true } })
    .on('POST /api/instagram-queue/*', apiSamples.instagramQueue.enqueue.response)
    .on('PUT /api/ai/discard/*', { success: true, message: 'Done' });

const titles = () => screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'));

describe('content list', () => {
  it('names a post without a visible title Untitled', async () => {
    start(['', '\u3164'].map((title, index) => ({ ...many(2)[index], title }) as ContentItem));
    const { user } = renderScreen('/admin/processed');
    await waitFor(() => expect(titles()).toEqual(['Untitled', 'Untitled']));
    await user.click(screen.getAllByRole('button', { name: 'View Details' })[0] as HTMLElement);
    expect(await screen.findByRole('dialog', { name: 'Untitled' })).toBeVisible();
  });

  it('loads page by page and shows the total from the first page on', async () => {
    const items = many(6);
    const api = start([]).reply('GET /api/ai/completed', ({ query }) => {
      const from = Number(query['cursor'] ?? 0);
      const data = items.slice(from, from + 2);
      return { body: { success: true, data, totalCount: from === 0 ? 6 : undefined, nextCursor: from + 2 < 6 ? String(from + 2) : null } };
    });
    renderScreen('/admin/processed');
    expect(await screen.findByText('6 files ready')).toBeVisible();
    expect(api.calls('GET', '/api/ai/completed').map(({ query }) => query)).toEqual([
      { limit: '200' },
      { limit: '200', cursor: '2' },
      { limit: '200', cursor: '4' },
    ]);
    expect(titles()).toEqual(items.map((item) => item.title));
  });
});

describe('content filters', () => {
  const [first, second] = many(2) as [ContentItem, ContentItem];
  const all = [first, second, { ...postedItemSample, title: 'A heron', mediaType: 'image' as const }];
  const none = { search: '', subreddit: '', type: '', posted: '' };
  it.each([
    [{}, 3],
    [{ search: 'post 1' }, 1],
    [{ search: 'HERON' }, 1],
    [{ search: '#fog valley' }, 3],
    [{ search: 'r/aww' }, 1],
    [{ subreddit: 'r/aww' }, 1],
    [{ type: 'image' }, 1],
    [{ posted: 'no' }, 2],
    [{ posted: 'yes', type: 'video' }, 0],
  ])('%j match %i items', (filter, left) => expect(filterItems(all, { ...none, ...filter })).toHaveLength(left));

  it('are kept in the URL and restored from it', async () => {
    start(all);
    const { user, router } = renderScreen('/admin/processed?subreddit=r%2Faww');
    await waitFor(() => expect(titles()).toEqual(['Post 0']));
    expect(screen.getByText('1 of 3')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(titles()).toHaveLength(3);
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'heron');
    await waitFor(() => expect(router.state.location.search).toBe('?search=heron'));
    await waitFor(() => expect(titles()).toEqual(['A heron']));
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), 'nothing like it');
    expect(await screen.findByText('No post matches these filters.')).toBeVisible();
  });
});

describe('bulk selection', () => {
  it('selects one, a range, all, and none', () => {
    const selection = new Selection();
    const order = ['a', 'b', 'c', 'd'];
    selection.toggle('b');
    selection.extendTo('d', order);
    expect([...selection.read()]).toEqual(['b', 'c', 'd']);
    selection.toggle('c');
    expect(selection.has('c')).toBe(false);
    selection.extendTo('a', order);
    expect([...selection.read()].sort()).toEqual(['a', 'b', 'c', 'd']);
    selection.clear();
    expect(selection.read().size).toBe(0);
  });

  it('queues a keyboard selection and offers undo', async () => {
    const items = [...many(3), { ...postedItemSample, id: postedItemSample.id.replace(/.$/u, 'a') }];
    const api = start(items).on('DELETE /api/instagram-queue/*', { success: true, message: 'Done' });
    const { user } = renderApp('/admin/processed');
    await screen.findByRole('article', { name: 'Post 0' });
    await user.keyboard('{Control>}a{/Control}');
    const bar = await screen.findByRole('region', { name: '4 selected' });
    const overviews = () => api.calls('GET', '/api/pipeline/overview').length;
    const before = overviews();
    await user.click(within(bar).getByRole('button', { name: 'Add to Queue' }));
    expect(await screen.findByText('3 posts added to the Instagram queue')).toBeVisible();
    expect(titles()).toEqual([postedItemSample.title]);
    await waitFor(() => expect(overviews()).toBe(before + 1));
    api.on('GET /api/ai/completed', { success: true, data: items });
    await user.click(screen.getByRole('button', { name: /Undo/u }));
    await waitFor(() => expect(titles()).toHaveLength(4));
    expect(api.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(3);
  });

  it('discards a range, reports failures, and undoes the rest', async () => {
    const items = many(4);
    const api = start(items).on('POST /api/content/*/restore', { success: true, data: contentItemSample });
    const refused = { success: false, error: 'It is being posted', message: '', requestId: 'r' };
    api.on(`PUT /api/ai/discard/${items[2]?.id ?? ''}`, refused, 409);
    renderScreen('/admin/processed');
    const box = (title: string) => screen.findByRole('checkbox', { name: `Select ${title}` });
    fireEvent.click(await box('Post 1'));
    fireEvent.click(await box('Post 3'), { shiftKey: true });
    fireEvent.click(within(screen.getByRole('region', { name: '3 selected' })).getByRole('button', { name: 'Discard' }));
    expect(await screen.findByText('2 posts discarded')).toBeVisible();
    expect(await screen.findByText('Failed to discard post: It is being posted')).toBeVisible();
    expect(titles()).toEqual(['Post 0', 'Post 2']);
    fireEvent.click(screen.getByRole('button', { name: /Undo/u }));
    await waitFor(() => expect(titles()).toHaveLength(4));
  });

  it('ignores selected posts that the filters hide', async () => {
    start(many(2));
    const { user } = renderScreen('/admin/processed');
    await user.click(await screen.findByRole('checkbox', { name: 'Select Post 0' }));
    expect(await screen.findByRole('region', { name: '1 selected' })).toBeVisible();
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'Post 1');
    await waitFor(() => expect(titles()).toEqual(['Post 1']));
    expect(screen.queryByRole('region', { name: /selected/u })).toBeNull();
  });

  it('sends at most two requests concurrently', async () => {
    let [now, most] = [0, 0];
    await forEachConcurrently([1, 2, 3, 4, 5], 2, async () => {
      most = Math.max(most, (now += 1));
      await Promise.resolve();
      now -= 1;
    });
    expect(most).toBe(2);
  });
});
