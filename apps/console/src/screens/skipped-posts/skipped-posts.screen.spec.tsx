import { apiSamples, SKIP_REASON_LABELS, skippedPostSample, type SkippedPost } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';
import { postAge } from './post-age';

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

describe('skipped posts', () => {
  it('shows each post with its reason in words', async () => {
    start([
      skippedPostSample,
      {
        ...skippedPostSample,
        _id: skippedPostSample._id.replace(/.$/u, 'f'),
        redditData: { ...skippedPostSample.redditData, title: null },
      },
    ]);
    renderApp('/admin/skipped-posts');
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

  it('asks with the defaults and leaves empty filters out', async () => {
    const api = start([skippedPostSample]);
    renderApp('/admin/skipped-posts');
    await screen.findByRole('link', { name: 'Blurry hill' });
    expect(api.calls('GET', '/api/skipped-posts')[0]?.query).toEqual({ sortBy: 'skippedAt', sortOrder: 'desc', page: '1', limit: '50' });
  });

  it('goes back to page 1 when a filter changes, and keeps filters in the address', async () => {
    const api = start([skippedPostSample], 9);
    const { user, router } = renderApp('/admin/skipped-posts?page=4');
    await screen.findByText('Page 4 of 9 (450 total posts)');
    await user.click(screen.getByRole('button', { name: 'Show Filters' }));
    await user.click(screen.getByRole('combobox', { name: 'Skip reason' }));
    await user.click(await screen.findByRole('option', { name: 'Duplicate' }));
    await waitFor(() => expect(router.state.location.search).toBe('?skipReason=duplicate_post'));
    await waitFor(() => expect(api.asked.at(-1)?.query).toMatchObject({ skipReason: 'duplicate_post', page: '1' }));
    await user.click(screen.getByRole('button', { name: 'Clear Filters' }));
    expect(router.state.location.search).toBe('');
  });

  it('shows at most five numbered pages around the present one', async () => {
    start([skippedPostSample], 9);
    const { user } = renderApp('/admin/skipped-posts?page=5');
    await screen.findByText('Page 5 of 9 (450 total posts)');
    const numbers = () => screen.getAllByRole('button', { name: /^Page \d+$/u }).map((button) => button.textContent);
    expect(numbers()).toEqual(['3', '4', '5', '6', '7']);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('Page 6 of 9 (450 total posts)');
    expect(numbers()).toEqual(['4', '5', '6', '7', '8']);
  });

  it('says when there are none, with a hint only when filters are set', async () => {
    start([]);
    renderApp('/admin/skipped-posts?skipReason=other');
    expect(await screen.findByText('No skipped posts found.')).toBeVisible();
    expect(screen.getByText('Try to adjust or clear the filters.')).toBeVisible();
  });

  it('gives no hint and no pages where there is nothing to adjust', async () => {
    start([]);
    renderApp('/admin/skipped-posts');
    expect(await screen.findByText('No skipped posts found.')).toBeVisible();
    expect(screen.queryByText(/adjust or clear/u)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Previous' })).toBeNull();
  });

  it('names a failure', async () => {
    start([]).fail('GET /api/skipped-posts', 'The database is away');
    renderApp('/admin/skipped-posts');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
  });
});

describe('age of a post', () => {
  it.each([
    ['2 days', 48, '2 days'],
    [null, 3.24, '3.2h'],
    [null, null, 'N/A'],
  ])('%s, %s hours', (postAgeFormatted, postAgeHours, shown) => {
    expect(postAge({ postAgeFormatted, postAgeHours })).toBe(shown);
  });
});
