import { type Claim, claimedWorkSample, claimSample, downloadSample } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { sourcePostIdOf } from '../../data/rights/use-rights';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const page = (posts: Claim[], totalPages = 1) => ({
  success: true,
  data: { posts, pagination: { currentPage: 1, totalPages, totalCount: posts.length, hasPrevPage: false, hasNextPage: totalPages > 1 } },
});
const start = (claims: Claim[] = [claimSample]) =>
  new FakeApi().on('GET /api/rights/claims', page(claims)).on('POST /api/rights/claims', { success: true, data: claimSample });
const fill = async (user: ReturnType<typeof renderScreen>['user']) => {
  await user.type(screen.getByRole('textbox', { name: /Title of the work/u }), 'Valley at dawn');
  await user.type(screen.getByRole('textbox', { name: /Claimant/u }), 'North Light');
};

describe('sourcePostIdOf', () => {
  it.each([
    ['https://www.reddit.com/r/aww/comments/1abc/title/', '1abc'],
    ['https://redd.it/1abc', '1abc'],
    ['https://www.instagram.com/ada/reel/C-a_1/', 'C-a_1'],
    ['https://www.reddit.com/r/aww', null],
  ])('reads %s as the post %s', (link, name) => expect(sourcePostIdOf(link)).toBe(name));
});

describe('rights register', () => {
  it('lists claims with their details', async () => {
    start([{ ...claimSample, contact: 'law@example.com', note: 'By letter.' }]);
    renderScreen('/admin/rights');
    const claim = await screen.findByRole('article', { name: 'Valley at dawn' });
    for (const text of ['North Light Pictures · law@example.com', 'By letter.', 'Active', /12 fingerprints/u]) {
      expect(within(claim).getByText(text)).toBeVisible();
    }
  });

  it('shows the empty state and the load error', async () => {
    const api = start([]);
    const { user } = renderScreen('/admin/rights');
    expect(await screen.findByText('No claims on the register')).toBeVisible();
    api.fail('GET /api/rights/claims', 'The database is away');
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
  });

  it('adds a claim by the URL of a collected post', async () => {
    const api = start().on('GET /api/downloads', { success: true, data: [downloadSample] });
    const { user } = renderScreen('/admin/rights');
    await user.click(await screen.findByRole('button', { name: 'Add Claim' }));
    await fill(user);
    await user.type(screen.getByRole('textbox', { name: 'Post URL' }), 'https://www.reddit.com/r/aww/comments/0none/x/');
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    expect(await screen.findByText('No collected post has this URL.')).toBeVisible();
    await user.clear(screen.getByRole('textbox', { name: 'Post URL' }));
    await user.type(screen.getByRole('textbox', { name: 'Post URL' }), downloadSample.originalUrl);
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    expect(await screen.findByText('"Valley at dawn" was added to the register')).toBeVisible();
    const effect = screen.getByText('Effect of the claim: Valley at dawn').parentElement as HTMLElement;
    for (const text of ['2 posts matching the work are blocked.', '1 post may match it and needs a review.'])
      expect(within(effect).getByText(text)).toBeVisible();
    const [out] = claimSample.held?.out ?? [];
    expect(within(effect).getByRole('link', { name: out?.title ?? '' })).toHaveAttribute('href', `/admin/items/${out?.id ?? ''}`);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/^Effect of the claim/u)).toBeNull();
    expect(api.calls('POST', '/api/rights/claims')[0]?.body).toEqual({
      title: 'Valley at dawn',
      claimant: 'North Light',
      itemId: downloadSample._id,
      scope: 'audiovisual',
    });
  });

  it('uploads the file of a claimed work as it is', async () => {
    const work = { state: 'stored', bytes: 3, sha256: 'a'.repeat(64), mediaType: 'video', message: null };
    const api = start().on('PUT /api/rights/claims/*/work', { success: true, data: { ...claimSample, held: undefined, work } });
    const { user } = renderScreen('/admin/rights');
    await user.click(await screen.findByRole('button', { name: 'Add Claim' }));
    await user.click(screen.getByRole('button', { name: 'File' }));
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    expect(screen.getAllByText('This field is required.')).toHaveLength(2);
    await fill(user);
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    expect(await screen.findByText('Choose the file of the work.')).toBeVisible();
    expect(screen.getByLabelText('Choose file', { selector: 'input' })).toHaveAttribute('accept', expect.stringContaining('image/heic'));
    await user.upload(screen.getByLabelText('Choose file', { selector: 'input' }), new File(['abc'], 'clip.mp4', { type: 'video/mp4' }));
    expect(screen.getByText('clip.mp4 (0.00 MB)')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    await waitFor(() => expect(api.calls('PUT', `/api/rights/claims/${claimSample.id}/work`)).toHaveLength(1));
    expect(api.calls('POST', '/api/rights/claims')[0]?.body).toMatchObject({ upload: true });
  });

  it('keeps the claim of a file that is refused, so that only the file is sent again', async () => {
    const api = start().fail('PUT /api/rights/claims/*/work', 'Please choose a video or a picture.');
    const { user } = renderScreen('/admin/rights');
    await user.click(await screen.findByRole('button', { name: 'Add Claim' }));
    await user.click(screen.getByRole('button', { name: 'File' }));
    await fill(user);
    await user.upload(screen.getByLabelText('Choose file', { selector: 'input' }), new File(['<html>'], 'a.jpg', { type: 'image/jpeg' }));
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    const said =
      '"Valley at dawn" was added to the register without its file: Please choose a video or a picture. Choose another file there.';
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add to register' })).toBeNull();
    expect(api.calls('POST', '/api/rights/claims')).toHaveLength(1);
  });

  it('sends no file that is too large', async () => {
    start();
    const { user } = renderScreen('/admin/rights');
    await user.click(await screen.findByRole('button', { name: 'Add Claim' }));
    await user.click(screen.getByRole('button', { name: 'File' }));
    const large = new File(['abc'], 'film.mkv', { type: 'video/x-matroska' });
    Object.defineProperty(large, 'size', { value: 600 * 1024 * 1024 });
    await user.upload(screen.getByLabelText('Choose file', { selector: 'input' }), large);
    expect(await screen.findByText('film.mkv has 600.00 MB; a file must have at most 512 MB')).toBeVisible();
    expect(screen.queryByText('film.mkv (600.00 MB)')).toBeNull();
  });

  it('says when a claim ends, why its status changed, and shows a title that is invisible', async () => {
    const ended = { status: 'expired', statusNote: 'The licence began', expiresAt: '2024-05-05T10:00:00.000Z', title: '\u200b' } as const;
    start([claimSample, { ...claimSample, ...ended, id: '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e11' }]);
    renderScreen('/admin/rights');
    const claim = await screen.findByRole('article', { name: 'Untitled' });
    expect(within(claim).getByRole('heading', { name: 'Untitled' })).toBeVisible();
    expect(within(claim).getByText('The licence began')).toBeVisible();
    expect(within(claim).getByText(/ · ended 5 May 2024, \d\d:00 · /u)).toBeVisible();
    expect(screen.queryByText(/ends? 5 May/u)).toBeNull();
  });

  it.each([
    ['Address', 'Address of the work', 'https://photographs.example/one.jpg', (text: string) => ({ sourceUrl: text, workUrls: [text] })],
    ['Author', 'Author', 'u/painter', (author: string) => ({ author })],
    ['Subreddit', 'Subreddit', 'r/aww', (subreddit: string) => ({ subreddit })],
  ])('adds a claim by %s with its notice', async (way, label, text, named) => {
    const api = start();
    const { user } = renderScreen('/admin/rights');
    await user.click(await screen.findByRole('button', { name: 'Add Claim' }));
    await fill(user);
    await user.type(screen.getByRole('textbox', { name: 'Reference of the notice' }), 'NL-17');
    await user.click(screen.getByRole('button', { name: 'Sound' }));
    await user.click(screen.getByRole('button', { name: way }));
    await user.type(screen.getByRole('textbox', { name: label }), text);
    await user.click(screen.getByRole('button', { name: 'Add to register' }));
    await waitFor(() => expect(api.calls('POST', '/api/rights/claims')).toHaveLength(1));
    expect(api.calls('POST', '/api/rights/claims')[0]?.body).toEqual({
      title: 'Valley at dawn',
      claimant: 'North Light',
      noticeReference: 'NL-17',
      scope: 'audio',
      ...named(text),
    });
  });

  it('says which addresses of a work gave no file, and has them fetched again', async () => {
    const url = 'https://photographs.example/page';
    const post = 'https://www.reddit.com/r/pics/comments/1abcde/';
    const missed = [
      { url, message: 'The address leads to a web page and not to a file of the work.' },
      { url: post, message: 'File 2 of 4: The media host answered 404.' },
    ];
    const unreadable = [{ sha256: 'ab'.repeat(32), message: 'The file is damaged.' }];
    const work = { ...claimedWorkSample, state: 'fingerprinted', files: 3, urls: [url, post], missed, unreadable };
    const api = start([{ ...claimSample, work } as Claim]).on('POST /api/rights/claims/*/fetch', { success: true, data: claimSample });
    const { user } = renderScreen('/admin/rights');
    const claim = await screen.findByRole('article', { name: 'Valley at dawn' });
    expect(within(claim).getByText('3 files of the work fingerprinted')).toBeVisible();
    expect(within(claim).getByText(`Not fetched: ${url} (${missed[0]?.message ?? ''})`)).toBeVisible();
    expect(within(claim).getByText(`Not fetched: ${post} (File 2 of 4: The media host answered 404.)`)).toBeVisible();
    expect(within(claim).getByText('One stored file does not count: The file is damaged.')).toBeVisible();
    await user.click(within(claim).getByRole('button', { name: 'Fetch again' }));
    expect(await screen.findByText('The work is being fetched again')).toBeVisible();
    expect(api.calls('POST', `/api/rights/claims/${claimSample.id}/fetch`)).toHaveLength(1);
  });

  it('uploads a missing file again, and disputes and reactivates a claim', async () => {
    const missing = { state: 'awaited', bytes: null, sha256: null, mediaType: null, message: null } as const;
    const api = start([{ ...claimSample, work: missing }])
      .on('PUT /api/rights/claims/*/work', { success: true, data: claimSample })
      .on('POST /api/rights/claims/*/status', { success: true, data: { ...claimSample, held: undefined, status: 'disputed' } });
    const { user } = renderScreen('/admin/rights');
    const claim = await screen.findByRole('article', { name: 'Valley at dawn' });
    expect(within(claim).getByText('The file of the work is missing; upload it.')).toBeVisible();
    await user.upload(
      within(claim).getByLabelText('Choose file', { selector: 'input' }),
      new File(['abc'], 'clip.mp4', { type: 'video/mp4' }),
    );
    expect(await screen.findByText('File uploaded; a worker compares it with all posts')).toBeVisible();
    await user.click(within(claim).getByRole('button', { name: 'Mark as disputed' }));
    expect(await screen.findByText('Claim marked as disputed; it no longer stops posts')).toBeVisible();
    expect(screen.getByText('Claim disputed: Valley at dawn')).toBeVisible();
    expect(screen.queryByText(/^Claim withdrawn/u)).toBeNull();
    expect(api.calls('POST', `/api/rights/claims/${claimSample.id}/status`)[0]?.body).toEqual({ status: 'disputed' });
  });

  it('opens the form for an item by URL and withdraws a claim after a confirmation', async () => {
    const api = start().on('POST /api/rights/claims/*/status', {
      success: true,
      data: { ...claimSample, held: undefined, status: 'withdrawn' },
    });
    const { user, router } = renderScreen(`/admin/rights?item=${downloadSample._id}`);
    expect(await screen.findByRole('textbox', { name: 'Post URL' })).toHaveValue(`http://localhost/admin/items/${downloadSample._id}`);
    await user.click(screen.getAllByRole('button', { name: 'Cancel' })[0] as HTMLElement);
    expect(router.state.location.search).toBe('');
    await user.click(await screen.findByRole('button', { name: 'Withdraw' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Withdraw this claim?' });
    await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('Claim withdrawn')).toBeVisible();
    expect(screen.getByText(/^Posts that the claim held back stay held back\. Run DMCA protection again/u)).toBeVisible();
    expect(api.calls('POST', `/api/rights/claims/${claimSample.id}/status`)[0]?.body).toEqual({ status: 'withdrawn' });
  });

  it('allows posts that the claim never stops, and ends an entry', async () => {
    const api = start()
      .on('POST /api/rights/claims/*/allow', { success: true, data: claimSample })
      .on('POST /api/rights/allow-entries/*/end', { success: true, data: claimSample });
    const { user } = renderScreen('/admin/rights');
    const claim = await screen.findByRole('article', { name: claimSample.title });
    expect(
      within(claim).getByText(/Never stops author reddit:north_light: The claimant posts it here\. · ada@example\.com/u),
    ).toBeVisible();
    await user.click(within(claim).getByRole('button', { name: 'Allow posts' }));
    expect(within(claim).getByRole('button', { name: 'Allow' })).toBeDisabled();
    await user.type(within(claim).getByRole('textbox', { name: 'u/name or @name' }), 'u/ada');
    await user.type(within(claim).getByRole('textbox', { name: 'Why this claim does not stop it' }), 'Her own work');
    await user.click(within(claim).getByRole('button', { name: 'Allow' }));
    expect(await screen.findByText(/^Allowed; run DMCA protection again/u)).toBeVisible();
    const path = `/api/rights/claims/${claimSample.id}/allow`;
    expect(api.calls('POST', path)[0]?.body).toEqual({ kind: 'author', named: 'u/ada', reason: 'Her own work' });
    await user.click(within(claim).getByRole('button', { name: 'End' }));
    await waitFor(() => expect(api.calls('POST', `/api/rights/allow-entries/${claimSample.allowed[0]?.id}/end`)).toHaveLength(1));
  });
});
