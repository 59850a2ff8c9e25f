import {
  apiSamples,
  contentDetailsSample,
  contentItemSample,
  postedItemSample,
  type ContentItem,
  type InstagramAccounts,
} from '@autoposter/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const OTHER: ContentItem = { ...contentItemSample, id: contentItemSample.id.replace(/.$/u, 'f'), title: 'A heron lands' };
const LONG_TITLE = 'A very long title that continues for far more characters than any card can display in full';

const start = (items: ContentItem[], configured = true) =>
  new FakeApi()
    .on('GET /api/ai/completed', { success: true, data: items })
    .on('GET /api/instagram/config', { success: true, data: { isConfigured: configured } })
    .reply('GET /api/content/*', ({ path }) => {
      const item = items.find(({ id }) => path.endsWith(id));
      return item === undefined
        ? { status: 404, body: { success: false, error: 'There is no such post.' } }
        : { body: { success: true, data: { ...contentDetailsSample, ...item } } };
    });

const textsOf = ({ aiContent }: ContentItem) => ({ caption: aiContent?.caption, hashtags: aiContent?.hashtags });

/** As the list endpoint returns it, without the fields of the details endpoint. */
const card = (item: ContentItem): ContentItem => ({
  ...item,
  commentsData: null,
  aiContent: item.aiContent && { ...item.aiContent, detailedAnalysis: null, hasDetailedAnalysis: true },
});

describe('processed content, grid', () => {
  it('explains the pipeline steps when the list is empty', async () => {
    start([]);
    renderScreen('/admin/processed');
    for (const text of [/Download content from Reddit/u, /Apply DMCA protection/u, /Generate AI captions and hashtags/u]) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(screen.getByText('0 files ready')).toBeVisible();
  });

  it('offers Try Again after a load error', async () => {
    const api = start([]).fail('GET /api/ai/completed', 'The database is away');
    const { user } = renderScreen('/admin/processed');
    expect(await screen.findByText('Error Loading Content')).toBeVisible();
    api.on('GET /api/ai/completed', { success: true, data: [contentItemSample] });
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('1 file ready')).toBeVisible();
  });

  it('shows the files omitted from a long gallery on the card and in the details', async () => {
    start([
      { ...contentItemSample, filesLeftOut: 2 },
      { ...OTHER, filesLeftOut: 1 },
    ]);
    const { user } = renderScreen('/admin/processed');
    expect(await screen.findByText('1 file of this gallery exceeds what one post can hold and is omitted.')).toBeVisible();
    const note = '2 files of this gallery exceed what one post can hold and are omitted.';
    expect(screen.getAllByText(note)).toHaveLength(1);
    await user.click(screen.getAllByRole('button', { name: 'View Details' })[0] as HTMLElement);
    expect(await within(await screen.findByRole('dialog')).findByText(note)).toBeVisible();
  });

  it('shows the sizes from which files were enlarged on the card and in the details', async () => {
    const small = { width: 320, height: 180 };
    start([{ ...contentItemSample, enlargedFrom: [small, { width: 400, height: 300 }] }]);
    const { user } = renderScreen('/admin/processed');
    const note = 'Enlarged from 320 × 180, 400 × 300';
    expect(await screen.findByText(note)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'View Details' }));
    expect(await within(await screen.findByRole('dialog')).findByText(note)).toBeVisible();
  });

  it('names the issuer of content credentials and that they are not verified', async () => {
    const credentials = { issuer: 'Example Cameras', verified: false as const };
    start([{ ...contentItemSample, contentCredentials: [credentials, credentials, { ...credentials, issuer: null }] }]);
    renderScreen('/admin/processed');
    expect(await screen.findByText('Content Credentials (C2PA) are present, issuer Example Cameras, unknown, not verified.')).toBeVisible();
  });

  it('starts the request for a permission from the note of a post that waits for it, and from the details of any post', async () => {
    const post = contentItemSample.originalUrl;
    const reviewReasons = ['The subreddit requires the permission of the author.'];
    start([{ ...contentItemSample, needsReview: true, reviewReasons, needsPermission: true }, OTHER]);
    const { user, router } = renderScreen('/admin/processed');
    const link = await screen.findByRole('link', { name: 'Ask permission' });
    await user.click(screen.getAllByRole('button', { name: 'View Details' })[0] as HTMLElement);
    expect(await within(await screen.findByRole('dialog')).findAllByRole('link', { name: 'Ask permission' })).toHaveLength(1);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getAllByRole('button', { name: 'View Details' })[1] as HTMLElement);
    expect(await within(await screen.findByRole('dialog')).findByRole('link', { name: 'Ask permission' })).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click(link);
    expect(router.state.location.pathname).toBe('/admin/rights');
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
      view: 'permissions',
      post,
      author: `u/${contentItemSample.author}`,
      title: contentItemSample.title,
    });
  });

  it('closes the details with Escape while a video control has the focus', async () => {
    start([contentItemSample]);
    const { user } = renderScreen('/admin/processed');
    await user.click(await screen.findByRole('button', { name: 'View Details' }));
    const dialog = await screen.findByRole('dialog');
    const video = within(dialog).getByLabelText(contentItemSample.title, { selector: 'video' }) as HTMLVideoElement;
    expect(video.controls).toBe(false);
    act(() => within(dialog).getByRole('button', { name: 'Sound' }).focus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('warns on images and galleries that Instagram cannot fetch', async () => {
    const mediaHint = 'Pictures and galleries need CDN_BASE_URL, an address that the internet reaches.';
    const picture: ContentItem = { ...OTHER, mediaType: 'image', title: 'A picture' };
    const gallery: ContentItem = { ...OTHER, id: OTHER.id.replace(/.$/u, 'e'), mediaCount: 2, title: 'A gallery' };
    const config = { isConfigured: true, canPublishImages: false, canPublishVideos: true, mediaHint };
    start([contentItemSample, picture, gallery]).on('GET /api/instagram/config', { success: true, data: config });
    renderScreen('/admin/processed');
    for (const name of ['A picture', 'A gallery'])
      expect(await within(await screen.findByRole('article', { name })).findByText(mediaHint)).toBeVisible();
    expect(within(screen.getByRole('article', { name: contentItemSample.title })).queryByText(mediaHint)).toBeNull();
  });

  it('shows a card with truncated texts, three hashtags and its buttons', async () => {
    start([card({ ...contentItemSample, title: LONG_TITLE })]);
    renderScreen('/admin/processed');
    const shown = await screen.findByRole('article');
    expect(within(shown).getByRole('heading').textContent).toBe(`${LONG_TITLE.slice(0, 60).trimEnd()}…`);
    expect(within(shown).getByText('+5 more')).toBeVisible();
    expect(within(shown).getByText('AI Complete')).toBeVisible();
    for (const name of ['View Details', 'AI Analysis', 'Add to Queue', 'Post Now', 'Discard']) {
      expect(await within(shown).findByRole('button', { name })).toBeEnabled();
    }
  });

  it('offers no posting actions for a posted item', async () => {
    start([postedItemSample]);
    renderScreen('/admin/processed');
    const card = await screen.findByRole('article');
    expect(within(card).getByText('Posted')).toBeVisible();
    expect(within(card).queryByRole('button', { name: 'Add to Queue' })).toBeNull();
    expect(within(card).queryByRole('button', { name: 'Post Now' })).toBeNull();
  });

  it('shows that generating a new caption failed and the previous one is kept', async () => {
    const lastError = {
      stage: 'ai',
      message: 'Gemini refuses this content.',
      timestamp: contentItemSample.updatedAt ?? '2026-11-21T09:00:00.000Z',
      kind: 'policy',
    };
    start([{ ...contentItemSample, status: 'ai_completed', instagramPost: null, lastError }]);
    renderScreen('/admin/processed');
    expect(
      await screen.findByText('Generating a new caption failed; the previous one is kept. Gemini refuses this content.'),
    ).toBeVisible();
  });

  it('shows the review reasons', async () => {
    start([{ ...contentItemSample, needsReview: true, reviewReasons: ['marked NSFW at the source'] }]);
    renderScreen('/admin/processed');
    expect(await screen.findByText('Review before queueing: marked NSFW at the source')).toBeVisible();
  });

  it('warns and hides Post Now while Instagram is not configured', async () => {
    start([contentItemSample], false);
    renderScreen('/admin/processed');
    expect(await screen.findByText('Instagram API not configured')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Post Now' })).toBeNull();
  });

  it('posts on the only account that is connected without an account of the environment', async () => {
    const { accounts, ...rest } = apiSamples.instagramAccounts.list.response.data as InstagramAccounts;
    const connected = accounts.filter(({ source }) => source === 'connected');
    const accountId = connected[0]?.id ?? '';
    const api = start([contentItemSample])
      .on('GET /api/instagram-accounts', { success: true, data: { ...rest, accounts: connected } })
      .reply('GET /api/instagram/config', ({ query }) => ({
        body: { success: true, data: { isConfigured: query['accountId'] === accountId } },
      }))
      .on('POST /api/instagram-queue/*', apiSamples.instagramQueue.enqueue.response);
    const { user } = renderScreen('/admin/processed');
    await user.click(await screen.findByRole('button', { name: 'Post Now' }));
    expect(screen.queryByText('Instagram API not configured')).toBeNull();
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Post Now' }));
    await waitFor(() =>
      expect(api.requests.find(({ method }) => method === 'POST')?.body).toMatchObject({ postImmediately: true, accountId }),
    );
  });

  it('warns only on cards that cannot be posted', async () => {
    start([contentItemSample, OTHER, { ...postedItemSample, id: OTHER.id.replace(/.$/u, 'e') }], false);
    renderScreen('/admin/processed');
    const warned = (await screen.findAllByText('Instagram API not configured')).map((text) => text.closest('article'));
    expect(warned).toEqual([contentItemSample, OTHER].map(({ title }) => screen.getAllByRole('article', { name: title })[0]));
  });

  it('removes a queued or discarded item from the list', async () => {
    const api = start([contentItemSample, OTHER])
      .on('POST /api/instagram-queue/*', apiSamples.instagramQueue.enqueue.response)
      .on('PUT /api/ai/discard/*', { success: true, message: 'Done' });
    const { user } = renderScreen('/admin/processed');
    const first = await screen.findByRole('article', { name: contentItemSample.title });
    await user.click(within(first).getByRole('button', { name: 'Add to Queue' }));
    await waitFor(() => expect(screen.queryByRole('article', { name: contentItemSample.title })).toBeNull());
    expect(api.calls('POST', `/api/instagram-queue/${contentItemSample.id}`)[0]?.body).toEqual({
      customCaption: contentItemSample.aiContent?.caption,
      postImmediately: false,
    });
    expect(await screen.findByText('Added to the Instagram queue')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
    expect(await screen.findByText('Post discarded')).toBeVisible();
  });

  it('posts after a confirmation and shows a failure', async () => {
    const api = start([contentItemSample]).fail('POST /api/instagram-queue/*', 'Publishing is paused', 409);
    const { user } = renderScreen('/admin/processed');
    await user.click(await screen.findByRole('button', { name: 'Post Now' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Post this now?' });
    for (const text of [contentItemSample.aiContent?.caption ?? '', 'By fogwatcher, from r/EarthPorn.']) {
      expect(within(dialog).getByText(text)).toBeVisible();
    }
    expect(within(dialog).getByRole('link', { name: 'Original post' })).toHaveAttribute('href', contentItemSample.originalUrl);
    await user.click(within(dialog).getByRole('button', { name: 'Post Now' }));
    expect(await screen.findByText('Failed to add to Instagram queue: Publishing is paused')).toBeVisible();
    expect(api.calls('POST', `/api/instagram-queue/${contentItemSample.id}`)[0]?.body).toMatchObject({ postImmediately: true });
  });

  it('asks whether to post a flagged item, with what needs review', async () => {
    const reviewReasons = ['the picture could not be compared with claimed works: it has too little detail'];
    const api = start([{ ...contentItemSample, needsReview: true, reviewReasons }]);
    const { user } = renderScreen('/admin/processed');
    await user.click(await screen.findByRole('button', { name: 'Post Now' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Post this now although it needs review?' });
    expect(within(dialog).getByText(`Needs review: ${reviewReasons.join('')}`)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(api.calls('POST', `/api/instagram-queue/${contentItemSample.id}`)).toHaveLength(0);
  });

  it('keeps the confirmation open after a double click', async () => {
    const api = start([contentItemSample]);
    const { user } = renderScreen('/admin/processed');
    await user.click(await screen.findByRole('button', { name: 'Post Now' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Post this now?' });
    const beside = dialog.parentElement;
    if (beside === null) throw new Error('the dialog has no backdrop');
    await user.click(beside);
    await user.click(within(dialog).getByRole('button', { name: 'Post Now' }));
    await waitFor(() => expect(api.calls('POST', `/api/instagram-queue/${contentItemSample.id}`)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Post Now' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(api.calls('POST', `/api/instagram-queue/${contentItemSample.id}`)).toHaveLength(1);
  });

  it('shows a video that is still processing and one that cannot be loaded', async () => {
    start([{ ...contentItemSample, processedCdnUrl: null }, OTHER]);
    renderScreen('/admin/processed');
    expect(await screen.findByText('Video processing in progress...')).toBeVisible();
    fireEvent.error(screen.getByLabelText('A heron lands', { selector: 'video' }));
    expect(screen.getByText('Video could not be loaded')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open in New Tab' })).toHaveAttribute('target', '_blank');
  });
});

describe('processed content, dialogs', () => {
  it('shows all details of a post and uses a comment as caption', async () => {
    const api = start([postedItemSample]).on('PUT /api/ai/update-caption/*', apiSamples.ai.updateCaption.response);
    const { user } = renderScreen(`/admin/processed?item=${postedItemSample.id}&dialog=details`);
    const dialog = await screen.findByRole('dialog', { name: postedItemSample.title });
    for (const text of [
      'Fog, light, silence.',
      '#calm',
      'earlybird',
      '17900000000000001',
      'REELS',
      'short',
      'long',
      'morning-fog.mp4, 7.00 MB',
      'fogwatcher',
      'A slow landscape clip with strong morning light.',
    ]) {
      expect(within(dialog).getAllByText(text)[0]).toBeVisible();
    }
    expect(
      within(dialog)
        .getAllByRole('heading', { level: 3 })
        .map((heading) => heading.textContent),
    ).toEqual(['Details', 'AI caption', 'Caption variations', 'Hashtags', 'Analysis', 'Top comments', 'Instagram post', 'Addresses']);
    const said = within(dialog)
      .getAllByRole('listitem')
      .map((comment) => comment.textContent);
    for (const text of ['earlybird · 812 points · 2 replies', 'hillwalker · 240 points · 0 replies']) {
      expect(said.some((comment) => comment?.startsWith(text))).toBe(true);
    }
    const uses = within(dialog).getAllByRole('button', { name: 'Use as Caption' });
    await user.click(uses.at(-1) as HTMLElement);
    expect(within(dialog).getByLabelText('Caption')).toHaveValue('Where is that?');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Caption updated successfully!')).toBeVisible();
    expect(api.calls('PUT', `/api/ai/update-caption/${postedItemSample.id}`)[0]?.body).toEqual({
      caption: 'Where is that?',
      replaces: textsOf(postedItemSample),
    });
  });

  it('counts hashtags against the limit of the gateway', async () => {
    const config = { isConfigured: true, hashtagLimit: { max: 7, since: null, source: 'INSTAGRAM_HASHTAG_LIMIT' } };
    start([contentItemSample]).on('GET /api/instagram/config', { success: true, data: config });
    const { user } = renderScreen(`/admin/processed?item=${contentItemSample.id}&dialog=details`);
    const dialog = await screen.findByRole('dialog', { name: contentItemSample.title });
    await user.click(await within(dialog).findByRole('button', { name: 'Edit caption' }));
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Hashtags' }), { target: { value: 'one two three four five six' } });
    expect(await within(dialog).findByText(/^6 of 7 hashtags/u)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeEnabled();
  });

  it('saves edited hashtags with the caption up to the limit of Instagram', async () => {
    const api = start([contentItemSample]).on('PUT /api/ai/update-caption/*', apiSamples.ai.updateCaption.response);
    const { user } = renderScreen(`/admin/processed?item=${contentItemSample.id}&dialog=details`);
    const dialog = await screen.findByRole('dialog', { name: contentItemSample.title });
    await user.click(await within(dialog).findByRole('button', { name: 'Edit caption' }));
    const field = within(dialog).getByRole('textbox', { name: 'Hashtags' });
    expect(field).toHaveValue((contentItemSample.aiContent?.hashtags ?? []).join(' '));
    fireEvent.change(field, { target: { value: 'one #two three, four five six' } });
    expect(within(dialog).getByText(/^6 of 5 hashtags/u)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled();
    fireEvent.change(field, { target: { value: 'fog #valley' } });
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Caption updated successfully!')).toBeVisible();
    expect(api.calls('PUT', `/api/ai/update-caption/${contentItemSample.id}`)[0]?.body).toEqual({
      caption: contentItemSample.aiContent?.caption,
      hashtags: ['#fog', '#valley'],
      replaces: textsOf(contentItemSample),
    });
  });

  it('shows the caption that another administrator has saved meanwhile before it is replaced', async () => {
    const theirs = { ...contentItemSample, aiContent: { ...contentItemSample.aiContent, caption: 'Their words' } };
    const api = start([contentItemSample]).fail('PUT /api/ai/update-caption/*', 'This caption was changed meanwhile.', 409);
    const { user } = renderScreen(`/admin/processed?item=${contentItemSample.id}&dialog=details`);
    const dialog = await screen.findByRole('dialog', { name: contentItemSample.title });
    await user.click(await within(dialog).findByRole('button', { name: 'Edit caption' }));
    const field = within(dialog).getByLabelText('Caption');
    fireEvent.change(field, { target: { value: 'My words' } });
    api.on(`GET /api/content/${contentItemSample.id}`, { success: true, data: theirs });
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText(/^This caption was changed meanwhile\. Saving replaces:/u)).toHaveTextContent('Their words');
    expect(field).toHaveValue('My words');
    api.on('PUT /api/ai/update-caption/*', apiSamples.ai.updateCaption.response);
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Caption updated successfully!')).toBeVisible();
    expect(api.calls('PUT', `/api/ai/update-caption/${contentItemSample.id}`).map(({ body }) => body)).toEqual([
      { caption: 'My words', replaces: textsOf(contentItemSample) },
      { caption: 'My words', replaces: { ...textsOf(contentItemSample), caption: 'Their words' } },
    ]);
  });

  it('does not save an empty caption and shows a failure', async () => {
    start([contentItemSample]).fail('PUT /api/ai/update-caption/*', 'Too long', 422);
    const { user } = renderScreen(`/admin/processed?item=${contentItemSample.id}&dialog=details`);
    await user.click(await screen.findByRole('button', { name: 'Edit caption' }));
    const field = screen.getByLabelText('Caption');
    await user.clear(field);
    await user.type(field, '   ');
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.type(field, 'x');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Failed to update caption: Too long')).toBeVisible();
  });

  it('shows the vision and the text analysis', async () => {
    start([contentItemSample]).on('GET /api/ai/completed', { success: true, data: [card(contentItemSample)] });
    renderScreen(`/admin/processed?item=${contentItemSample.id}&dialog=analysis`);
    const dialog = await screen.findByRole('dialog', { name: /AI Analysis/u });
    const found = contentItemSample.aiContent?.detailedAnalysis;
    const texts = [
      ...Object.values(found?.gemini ?? {}).filter((value) => typeof value === 'string'),
      '92%',
      String(found?.groq?.wordCount),
      String(found?.groq?.characterCount),
      'positive',
      'Yes',
      found?.groq?.mainCaption ?? '',
      'place',
      '#valley',
      'mood',
    ];
    for (const text of texts) expect(await within(dialog).findByText(text)).toBeVisible();
  });
});

describe('processed content, reels', () => {
  it('navigates with the arrow keys except while typing', async () => {
    start([contentItemSample, OTHER]);
    const { user } = renderScreen('/admin/processed?view=reels');
    expect(await screen.findByText('1 / 2')).toBeVisible();
    await user.keyboard('{ArrowDown}');
    expect(await screen.findByText('2 / 2')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next post' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Edit caption' }));
    await user.keyboard('{ArrowUp}');
    expect(screen.getByText('2 / 2')).toBeVisible();
  });

  it('shows six hashtags until expanded', async () => {
    start([contentItemSample]);
    const { user } = renderScreen('/admin/processed?view=reels');
    expect(await screen.findByText('#mountains')).toBeVisible();
    expect(screen.queryByText('#calm')).toBeNull();
    await user.click(screen.getByRole('button', { name: '+2 more' }));
    expect(screen.getByText('#calm')).toBeVisible();
  });
});
