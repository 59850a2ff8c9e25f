import { apiSamples, downloadSample, failedDownloadSample, type Download } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';
import { parseUrls } from './parse-urls';

const REDDIT = 'https://www.reddit.com/r/aww/comments/1abc/dog/';
const REEL = 'https://www.instagram.com/reel/Cabc/';
const start = (items: Download[] = []) => new FakeApi().on('GET /api/downloads', { success: true, data: items });
const field = () => screen.findByLabelText('Post URLs, one per line');

describe('which lines are links', () => {
  it.each([
    ['https://reddit.com/r/aww', 'reddit'],
    ['reddit.com/comments/1abc', 'reddit'],
    ['https://old.reddit.com/r/aww/comments/1abc/x', 'reddit'],
    ['https://www.reddit.com/user/ada', null],
    ['https://notreddit.com/r/aww', null],
    ['https://www.instagram.com/p/Cabc/', 'instagram'],
    ['https://instagram.com/ada/reel/Cabc', 'instagram'],
    ['https://www.instagram.com/ada/', null],
    ['hello', null],
  ])('%s', (line, platform) => {
    const { valid, invalid } = parseUrls(line);
    expect(valid.map((pasted) => pasted.platform)).toEqual(platform === null ? [] : [platform]);
    expect(invalid).toEqual(platform === null ? [line] : []);
  });

  it('leaves out blank lines and repetitions', () => {
    expect(parseUrls(`\n  ${REEL}  \n\n${REEL}\n`)).toEqual({ valid: [{ url: REEL, platform: 'instagram' }], invalid: [] });
  });
});

describe('URL manager', () => {
  it('asks for a link when nothing was entered', async () => {
    const api = start();
    const { user } = renderApp('/admin/urls');
    await user.click(await screen.findByRole('button', { name: 'Add URLs' }));
    expect(screen.getByText('Please enter at least one Reddit or Instagram URL')).toBeVisible();
    expect(api.asked.some((asked) => asked.method === 'POST')).toBe(false);
  });

  it('sends each valid line to its source and keeps the others in the field', async () => {
    const api = start()
      .on('POST /api/reddit/process', apiSamples.reddit.process.response)
      .fail('POST /api/instagram/process', 'Not offered by the API', 422);
    const { user } = renderApp('/admin/urls');
    await user.click(await field());
    await user.paste(`${REDDIT}\nnonsense\n${REEL}`);
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    expect(await screen.findByText('Successfully processed 1 URL(s), 1 failed')).toBeVisible();
    expect(screen.getByText('Invalid URLs (must be Reddit or Instagram): nonsense')).toBeVisible();
    expect(screen.getByText(`${REEL}: Not offered by the API`)).toBeVisible();
    expect(await field()).toHaveValue(`${REEL}\nnonsense`);
    expect(api.calls('POST', '/api/reddit/process')[0]?.body).toEqual({ url: REDDIT });
  });

  it('uses the complete pipeline when the box is ticked', async () => {
    const api = start().on('POST /api/pipeline/process-complete', apiSamples.pipeline.processComplete.response);
    const { user } = renderApp('/admin/urls');
    await user.click(await screen.findByLabelText('Auto-process through complete pipeline (Download → DMCA → AI → Instagram)'));
    await user.click(await field());
    await user.paste(REDDIT);
    await user.click(screen.getByRole('button', { name: 'Process Complete Pipeline' }));
    expect(await screen.findByText('Successfully processed 1 URL(s)')).toBeVisible();
    expect(api.calls('POST', '/api/pipeline/process-complete')).toHaveLength(1);
  });

  it('says when all links failed', async () => {
    start().fail('POST /api/reddit/process', 'Reddit is not configured', 503);
    const { user } = renderApp('/admin/urls');
    await user.click(await field());
    await user.paste(REDDIT);
    await user.click(screen.getByRole('button', { name: 'Add URLs' }));
    expect(await screen.findByText('Failed to process all URLs. 1 URL(s) failed.')).toBeVisible();
  });

  it('shows what is known of a post and where it is', async () => {
    start([downloadSample]);
    renderApp('/admin/urls');
    const row = await screen.findByRole('article');
    for (const text of ['Downloaded', 'Reddit', 'r/EarthPorn', '1,520 (97% upvoted)', 'morning-fog.mp4, 8.50 MB', '1080 × 1920', 'Local']) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    expect(within(row).getByRole('link', { name: 'Original post' })).toHaveAttribute('href', downloadSample.originalUrl);
    expect(within(row).getByText('Waiting for DMCA protection')).toBeVisible();
    expect(within(row).queryByRole('button', { name: /Retry/u })).not.toBeInTheDocument();
  });

  it('says why a post failed and retries it', async () => {
    const api = start([failedDownloadSample]).on('POST /api/reddit/retry/*', apiSamples.reddit.retry.response);
    const { user } = renderApp('/admin/urls');
    expect(await screen.findByText(/Reddit no longer has the video/u)).toBeVisible();
    expect(screen.getByText('Open the post and check that it is still there.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Retry (1/3)' }));
    expect(await screen.findByText('Retry completed successfully')).toBeVisible();
    expect(api.calls('POST', `/api/reddit/retry/${failedDownloadSample._id}`)).toHaveLength(1);
  });

  it('offers no retry once the retries are used up', async () => {
    start([{ ...failedDownloadSample, retryCount: 3 }]);
    renderApp('/admin/urls');
    expect(await screen.findByText('Failed')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Retry/u })).not.toBeInTheDocument();
  });

  it('asks before it deletes', async () => {
    const api = start([downloadSample]).fail('DELETE /api/downloads/*', 'It is being posted', 409);
    const { user } = renderApp('/admin/urls');
    await user.click(await screen.findByRole('button', { name: /^Delete/u }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this download?' });
    expect(api.asked.some((asked) => asked.method === 'DELETE')).toBe(false);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Delete failed: It is being posted')).toBeVisible();
  });

  it('tells when there is nothing, and when the list cannot be read', async () => {
    const api = start();
    const { user } = renderApp('/admin/urls');
    expect(await screen.findByText('No URLs in queue')).toBeVisible();
    api.fail('GET /api/downloads', 'The database is away');
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.getByText('Error fetching downloads: The database is away')).toBeVisible());
  });
});
