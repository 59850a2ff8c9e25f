import { apiSamples, downloadSample, failedDownloadSample, type Download } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { readRuns } from '../../data/runs/run-store';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { parseUrls } from './parse-urls';

const REDDIT = 'https://www.reddit.com/r/aww/comments/1abc/dog/';
const REEL = 'https://www.instagram.com/reel/Cabc/';
const start = (items: Download[] = []) => new FakeApi().on('GET /api/downloads', { success: true, data: items });
const field = () => screen.findByLabelText('Post URLs, one per line');

describe('parseUrls', () => {
  it.each([
    ['https://reddit.com/r/aww', 'reddit'],
    ['reddit.com/comments/1abc', 'reddit'],
    ['https://old.reddit.com/r/aww/comments/1abc/x', 'reddit'],
    ['https://www.reddit.com/user/ada', null],
    ['https://notreddit.com/r/aww', null],
    ['https://www.instagram.com/p/Cabc/', 'instagram'],
    ['https://instagram.com/ada/reel/Cabc', 'instagram'],
    ['https://www.instagram.com/ada/', null],
    ['https://redd.it/1abcxyz', null],
    ['https://v.redd.it/abc123def456', null],
    ['https://i.redd.it/abc123def456.jpeg', null],
    ['https://www.reddit.com/gallery/1abcxyz', null],
    ['https://www.reddit.com/r/aww/s/AbCdEf1234', 'reddit'],
    ['https://www.instagram.com/reels/Cabc/', null],
    ['https://www.instagram.com/tv/Cabc/', null],
    ['https://example.org/?u=https://redd.it/1abcxyz', null],
    ['javascript:alert(1)//reddit.com/r/x', null],
    [`https://reddit.com/r/aww/comments/1abc/${'a'.repeat(1961)}`, 'reddit'],
    [`https://reddit.com/r/aww/comments/1abc/${'a'.repeat(1962)}`, null],
    ['hello', null],
  ])('reads %s as a link to %s', (line, platform) => {
    const { valid, invalid } = parseUrls(line);
    expect(valid.map((pasted) => pasted.platform)).toEqual(platform === null ? [] : [platform]);
    expect(invalid).toEqual(platform === null ? [line] : []);
  });

  it('ignores blank lines and duplicates', () => {
    expect(parseUrls(`\n  ${REEL}  \nx\n${REEL}\nx`)).toEqual({
      states: ['blank', 'valid', 'invalid', 'duplicate', 'duplicate'],
      valid: [{ url: REEL, platform: 'instagram' }],
      invalid: ['x'],
    });
  });
});

describe('URL manager', () => {
  it('asks for a URL when nothing was entered', async () => {
    const api = start();
    const { user } = renderScreen('/admin/urls');
    await user.click(await screen.findByRole('button', { name: 'Add URLs' }));
    expect(screen.getByText('Please enter at least one Reddit or Instagram URL')).toBeVisible();
    expect(api.requests.some((asked) => asked.method === 'POST')).toBe(false);
  });

  it('says at once of an accepted link that its post is published already', async () => {
    const notice = 'This post was published already (https://www.instagram.com/p/1/).';
    start().on('POST /api/reddit/process', { success: true, data: { known: false, notice } });
    const { user } = renderScreen('/admin/urls');
    await user.type(await field(), REDDIT);
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    expect(await screen.findByText(notice)).toBeVisible();
  });

  it('keeps the URLs of the field over a reload, and not those that were accepted', async () => {
    start().on('POST /api/reddit/process', apiSamples.reddit.process.response);
    const before = renderScreen('/admin/urls');
    await before.user.type(await field(), `${REDDIT}\nnonsense`);
    before.unmount();
    const { user, unmount } = renderScreen('/admin/urls');
    expect(await field()).toHaveValue(`${REDDIT}\nnonsense`);
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    await waitFor(async () => expect(await field()).toHaveValue('nonsense'));
    unmount();
    renderScreen('/admin/urls');
    expect(await field()).toHaveValue('nonsense');
  });

  it('submits valid URLs to their platform and keeps invalid ones in the field', async () => {
    const api = start()
      .on('POST /api/reddit/process', apiSamples.reddit.process.response)
      .fail('POST /api/instagram/process', 'Not offered by the API', 422);
    const { user } = renderScreen('/admin/urls');
    await user.click(await field());
    await user.paste(`${REDDIT}\nnonsense\n${REEL}`);
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    expect(await screen.findByText('Successfully processed 1 URL(s), 1 failed')).toBeVisible();
    expect(screen.getByText('Invalid URLs (must be Reddit or Instagram): nonsense')).toBeVisible();
    const results = within(screen.getByRole('list', { name: 'Result of each URL' })).getAllByRole('listitem');
    expect(results.map((result) => result.textContent)).toEqual([`${REDDIT}Accepted`, `${REEL}Not offered by the APIFailed`]);
    expect(await field()).toHaveValue(`${REEL}\nnonsense`);
    expect(api.calls('POST', '/api/reddit/process')[0]?.body).toEqual({ url: REDDIT });
  });

  it('submits to the complete pipeline when the checkbox is on', async () => {
    const api = start().on('POST /api/pipeline/process-complete', apiSamples.pipeline.processComplete.response);
    const { user } = renderScreen('/admin/urls');
    await user.click(await screen.findByLabelText('Auto-process through complete pipeline (Download → DMCA → AI → Instagram)'));
    await user.click(await field());
    await user.paste(REDDIT);
    await user.click(screen.getByRole('button', { name: 'Process Complete Pipeline' }));
    expect(await screen.findByText('Successfully processed 1 URL(s)')).toBeVisible();
    expect(api.calls('POST', '/api/pipeline/process-complete')).toHaveLength(1);
  });

  it('marks each line while typing and submits with Ctrl+Enter', async () => {
    const api = start().on('POST /api/reddit/process', apiSamples.reddit.process.response);
    const { user } = renderScreen('/admin/urls');
    await user.click(await field());
    await user.paste(`${REDDIT}\nnonsense\n\n${REDDIT}`);
    const marks = [...document.querySelectorAll('[data-line]')].map((line) => line.getAttribute('data-line'));
    expect(marks).toEqual(['valid', 'invalid', 'blank', 'duplicate']);
    expect(await field()).toHaveAccessibleDescription('1 link · invalid: line 2 · duplicate: line 4');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Successfully processed 1 URL(s)')).toBeVisible();
    expect(api.calls('POST', '/api/reddit/process')).toHaveLength(1);
  });

  it('shows the state of each URL and submits one at a time', async () => {
    const links = [1, 2, 3].map((each) => REDDIT.replace('1abc', `${each}abc`));
    const api = start().hold('POST /api/reddit/process');
    const { user } = renderScreen('/admin/urls');
    await user.click(await field());
    await user.paste(links.join('\n'));
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    const results = within(await screen.findByRole('list', { name: 'Result of each URL' })).getAllByRole('listitem');
    expect(results.map((result) => result.textContent)).toEqual([`${links[0]}Sending`, `${links[1]}Waiting`, `${links[2]}Waiting`]);
    expect(screen.getByText('0 of 3 sent')).toBeVisible();
    expect(api.calls('POST', '/api/reddit/process')).toHaveLength(1);
  });

  it('keeps focus and text of the field while URLs are submitted', async () => {
    start().hold('POST /api/reddit/process');
    const { user } = renderScreen('/admin/urls');
    await user.click(await field());
    await user.paste(REDDIT);
    await user.keyboard('{Control>}{Enter}{/Control}x');
    expect(await screen.findByText('0 of 1 sent')).toBeVisible();
    expect(await field()).toHaveFocus();
    expect(await field()).toHaveValue(REDDIT);
  });

  it('reports when all URLs failed', async () => {
    start().fail('POST /api/reddit/process', 'Reddit is not configured', 503);
    const { user } = renderScreen('/admin/urls');
    await user.click(await field());
    await user.paste(REDDIT);
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    expect(await screen.findByText('Failed to process all URLs. 1 URL(s) failed.')).toBeVisible();
  });

  it('shows the facts and the pipeline stage of a post', async () => {
    start([downloadSample]);
    renderScreen('/admin/urls');
    const row = await screen.findByRole('article');
    for (const text of ['Downloaded', 'Reddit', 'r/EarthPorn', '1,520 (97% upvoted)', 'morning-fog.mp4, 8.50 MB', '1080 × 1920', 'Local']) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    expect(within(row).getByRole('link', { name: 'Original post' })).toHaveAttribute('href', downloadSample.originalUrl);
    expect(within(row).getByText('Waiting for DMCA protection')).toBeVisible();
    expect(within(row).queryByRole('button', { name: /Retry/u })).not.toBeInTheDocument();
  });

  it('shows why a post failed and retries it', async () => {
    const api = start([failedDownloadSample]).on('POST /api/reddit/retry/*', apiSamples.reddit.retry.response);
    const { user } = renderScreen('/admin/urls');
    expect(await screen.findByText(/Reddit no longer has the video/u)).toBeVisible();
    expect(screen.getByText('Open the post and check that it is still there.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Retry (1/3)' }));
    expect(await screen.findByText('Retry completed successfully')).toBeVisible();
    expect(api.calls('POST', `/api/reddit/retry/${failedDownloadSample._id}`)).toHaveLength(1);
  });

  it('shows the next action once and links to the manual caption', async () => {
    const nextAction = 'Write the caption by hand, or discard the post.';
    const message = `Gemini refuses this content. ${nextAction}`;
    const processingErrors = [{ stage: 'ai', message, timestamp: failedDownloadSample.createdAt, nextAction }];
    const refused: Download = { ...failedDownloadSample, failedStage: 'ai', processingErrors, nextAction };
    const early: Download = { ...failedDownloadSample, _id: failedDownloadSample._id.replace(/.$/u, 'f') };
    start([refused, early]);
    renderScreen('/admin/urls');
    expect(await screen.findAllByText(new RegExp(nextAction, 'u'))).toHaveLength(1);
    const links = screen.getAllByRole('link', { name: 'Write caption manually' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([`/admin/items/${refused._id}`]);
  });

  it('retries all failed downloads, searches, and keeps the search in the URL', async () => {
    const other = { ...failedDownloadSample, _id: failedDownloadSample._id.replace(/.$/u, 'f'), title: 'A heron', retryCount: 0 };
    const used = { ...failedDownloadSample, _id: failedDownloadSample._id.replace(/.$/u, 'e'), title: 'Used up', retryCount: 3 };
    const api = start([failedDownloadSample, other, used, downloadSample]).on('POST /api/reddit/retry/*', apiSamples.reddit.retry.response);
    api.fail(`POST /api/reddit/retry/${other._id}`, 'It is gone', 409);
    const { user, router } = renderScreen('/admin/urls?status=failed');
    await user.click(await screen.findByRole('button', { name: 'Retry failed (2)' }));
    expect(await screen.findByText('1 download retried, 1 failed')).toBeVisible();
    expect(screen.getByText('Retry failed: It is gone')).toBeVisible();
    expect(readRuns().at(-1)).toMatchObject({ total: 2, done: 1, failed: 1 });
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'heron');
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
    expect(router.state.location.search).toBe('?status=failed&search=heron');
    expect(api.calls('GET', '/api/downloads')).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Timeline' })).toHaveAttribute('href', `/admin/items/${other._id}`);
  });

  it('finds a post by its source as the list names it', async () => {
    const reel = { ...downloadSample, _id: downloadSample._id.replace(/.$/u, 'f'), platform: 'instagram' as const, author: 'lakeside' };
    start([downloadSample, { ...reel, subreddit: null, originalUrl: 'https://www.instagram.com/reel/Cx1/' }]);
    renderScreen('/admin/urls?search=@lakeside');
    expect(await screen.findAllByRole('article')).toHaveLength(1);
  });

  it('offers no retry when the retries are used up', async () => {
    start([{ ...failedDownloadSample, retryCount: 3 }]);
    renderScreen('/admin/urls');
    expect(await screen.findByText('Failed')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Retry \(/u })).not.toBeInTheDocument();
  });

  it('deletes a download after a confirmation', async () => {
    const api = start([downloadSample]).fail('DELETE /api/downloads/*', 'It is being posted', 409);
    const { user } = renderScreen('/admin/urls');
    await user.click(await screen.findByRole('button', { name: /^Delete/u }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this download?' });
    expect(api.requests.some((asked) => asked.method === 'DELETE')).toBe(false);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Delete failed: It is being posted')).toBeVisible();
  });

  it('confirms a deletion although its row is already unmounted', async () => {
    const api = start([downloadSample]);
    api.reply('DELETE /api/downloads/*', () => {
      api.on('GET /api/downloads', { success: true, data: [] });
      return { body: apiSamples.downloads.remove.response };
    });
    const { user } = renderScreen('/admin/urls');
    await user.click(await screen.findByRole('button', { name: /^Delete/u }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Download deleted successfully')).toBeVisible();
    expect(screen.getByText('No URLs in queue')).toBeVisible();
  });

  it('shows the empty state and the load error', async () => {
    const api = start();
    const { user } = renderScreen('/admin/urls');
    expect(await screen.findByText('No URLs in queue')).toBeVisible();
    api.fail('GET /api/downloads', 'The database is away');
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.getByText('Error fetching downloads: The database is away')).toBeVisible());
  });
});
