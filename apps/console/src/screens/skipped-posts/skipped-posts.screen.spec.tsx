import { apiSamples, SKIP_REASON_LABELS, skippedPostSample, type SkippedPost } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { postAge } from './skipped-table';
import { rangeOf, startOf } from './skip-filters';

const page = (posts: SkippedPost[], totalPages = 1, currentPage = 1) => ({
  success: true,
  data: {
    posts,
    pagination: {
      currentPage,
      totalPages,
      totalCount: totalPages * 50,
      hasPrevPage: currentPage > 1,
      hasNextPage: currentPage < totalPages,
    },
  },
});

const start = (posts: SkippedPost[], totalPages = 1) =>
  new FakeApi()
    .reply('GET /api/skipped-posts', ({ query }) => ({ body: page(posts, totalPages, Number(query['page'] ?? 1)) }))
    .on('GET /api/skipped-posts/subreddits', apiSamples.skippedPosts.subreddits.response)
    .on('GET /api/skipped-posts/reasons', {
      success: true,
      data: Object.entries(SKIP_REASON_LABELS).map(([value, label]) => ({ value, label })),
    })
    .on('GET /api/skipped-posts/statistics', apiSamples.skippedPosts.statistics.response);

describe('skipped posts screen', () => {
  it('shows each post with the label of its skip reason', async () => {
    start([
      skippedPostSample,
      {
        ...skippedPostSample,
        _id: skippedPostSample._id.replace(/.$/u, 'f'),
        redditData: { ...skippedPostSample.redditData, title: null },
      },
    ]);
    renderScreen('/admin/skipped-posts');
    const link = await screen.findByRole('link', { name: 'Blurry hill' });
    expect(link).toHaveAttribute('href', skippedPostSample.originalUrl);
    expect(link).toHaveAttribute('target', '_blank');
    expect(screen.getByRole('link', { name: 'Untitled' })).toBeVisible();
    const row = link.closest('tr') as HTMLElement;
    for (const text of ['r/EarthPorn', 'Score too low', 'Score 0 is below 1', '3 hours', '0', 'by walker · image']) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    expect(screen.getByText('Skip Statistics')).toBeVisible();
    expect(screen.getByRole('button', { name: /Score too low 42/u })).toBeVisible();
  });

  it('requests the default page and omits empty filters', async () => {
    const api = start([skippedPostSample]);
    renderScreen('/admin/skipped-posts');
    await screen.findByRole('link', { name: 'Blurry hill' });
    expect(api.calls('GET', '/api/skipped-posts')[0]?.query).toEqual({ sortBy: 'skippedAt', sortOrder: 'desc', page: '1', limit: '50' });
  });

  it('resets to page 1 when a filter changes and keeps filters in the URL', async () => {
    const api = start([skippedPostSample], 9);
    const { user, router } = renderScreen('/admin/skipped-posts?page=4');
    await screen.findByText('Page 4 of 9 (450 total posts)');
    await user.click(screen.getByRole('button', { name: 'Show Filters' }));
    await user.click(screen.getByRole('combobox', { name: 'Skip reason' }));
    await user.click(await screen.findByRole('option', { name: 'Duplicate' }));
    await waitFor(() => expect(router.state.location.search).toBe('?skipReason=duplicate_post'));
    await waitFor(() => expect(api.requests.at(-1)?.query).toMatchObject({ skipReason: 'duplicate_post', page: '1' }));
    await user.click(screen.getByRole('button', { name: 'Clear Filters' }));
    expect(router.state.location.search).toBe('');
  });

  it('shows at most five page numbers around the current page', async () => {
    start([skippedPostSample], 9);
    const { user } = renderScreen('/admin/skipped-posts?page=5');
    await screen.findByText('Page 5 of 9 (450 total posts)');
    const numbers = () => screen.getAllByRole('button', { name: /^Page \d+$/u }).map((button) => button.textContent);
    expect(numbers()).toEqual(['3', '4', '5', '6', '7']);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('Page 6 of 9 (450 total posts)');
    expect(numbers()).toEqual(['4', '5', '6', '7', '8']);
  });

  it('shows the empty state, with a hint only when filters are set', async () => {
    start([]);
    renderScreen('/admin/skipped-posts?skipReason=other');
    expect(await screen.findByText('No skipped posts found.')).toBeVisible();
    expect(screen.getByText('Try to adjust or clear the filters.')).toBeVisible();
  });

  it('shows no hint and no pagination without filters', async () => {
    start([]);
    renderScreen('/admin/skipped-posts');
    expect(await screen.findByText('No skipped posts found.')).toBeVisible();
    expect(screen.queryByText(/adjust or clear/u)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Previous' })).toBeNull();
  });

  it('opens the last page instead of one that no longer exists', async () => {
    start([]).reply('GET /api/skipped-posts', ({ query }) => {
      const asked = Number(query['page'] ?? 1);
      return { body: page(asked > 2 ? [] : [skippedPostSample], 2, asked) };
    });
    const { router } = renderScreen('/admin/skipped-posts?page=9');
    expect(await screen.findByText('Page 2 of 2 (100 total posts)')).toBeVisible();
    expect(router.state.location.search).toBe('?page=2');
  });

  it('shows the error message', async () => {
    start([]).fail('GET /api/skipped-posts', 'The database is away');
    renderScreen('/admin/skipped-posts');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
  });
});

describe('skipped posts screen, actions', () => {
  it('sets and clears preset date ranges', async () => {
    start([skippedPostSample]);
    const { user, router } = renderScreen('/admin/skipped-posts?page=3');
    await user.click(await screen.findByRole('button', { name: '7 d' }));
    expect(router.state.location.search).toMatch(/^\?dateFrom=\d{4}-\d{2}-\d{2}$/u);
    expect(screen.getByRole('button', { name: '7 d' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(screen.getByRole('button', { name: '7 d' }));
    expect(router.state.location.search).toBe('');
  });

  it('processes a skipped post anyway', async () => {
    const api = start([skippedPostSample]).on('POST /api/reddit/process', apiSamples.reddit.process.response);
    const { user } = renderScreen('/admin/skipped-posts');
    await user.click(await screen.findByRole('button', { name: 'Process anyway: Blurry hill' }));
    expect(await screen.findByText('Blurry hill was added to the Download Queue')).toBeVisible();
    expect(api.calls('POST', '/api/reddit/process')[0]?.body).toEqual({ url: skippedPostSample.originalUrl });
    expect(screen.getByRole('button', { name: /Blurry hill/u })).toBeDisabled();
  });

  it('exports all pages of the filtered posts as CSV', async () => {
    const api = start([skippedPostSample], 2);
    const saved: Blob[] = [];
    Object.assign(URL, { createObjectURL: (blob: Blob) => (saved.push(blob), 'blob:x'), revokeObjectURL: () => undefined });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user } = renderScreen('/admin/skipped-posts?skipReason=other');
    await screen.findByRole('link', { name: 'Blurry hill' });
    await user.click(screen.getByRole('button', { name: 'Download CSV' }));
    expect(await screen.findByText(/^The first 2 of 100 posts were saved|^2 posts saved/u)).toBeVisible();
    const asked = api.calls('GET', '/api/skipped-posts').filter(({ query }) => query['limit'] === '200');
    expect(asked.map(({ query }) => [query['page'], query['skipReason']])).toEqual([
      ['1', 'other'],
      ['2', 'other'],
    ]);
    expect(saved).toHaveLength(1);
  });
});

describe('startOf', () => {
  const now = Date.parse('2026-03-01T02:00:00Z');
  it.each([
    ['24h', 'UTC', '2026-02-28'],
    ['24h', 'America/New_York', '2026-02-27'],
    ['7d', 'UTC', '2026-02-22'],
    ['30d', 'UTC', '2026-01-30'],
  ] as const)('the range %s in %s starts on %s', (range, zone, day) => {
    expect(startOf(range, now, zone)).toBe(day);
    expect(rangeOf({ dateFrom: day, dateTo: '' }, now, zone)).toBe(range);
    expect(rangeOf({ dateFrom: day, dateTo: day }, now, zone)).toBeNull();
  });
});

describe('postAge', () => {
  it.each([
    ['2 days', 48, '2 days'],
    [null, 3.24, '3.2h'],
    [null, null, 'N/A'],
  ])('%s, %s hours', (postAgeFormatted, postAgeHours, shown) => {
    expect(postAge({ postAgeFormatted, postAgeHours })).toBe(shown);
  });
});
