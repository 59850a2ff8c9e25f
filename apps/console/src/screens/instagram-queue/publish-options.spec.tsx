import { apiSamples, capabilitiesSample, queueItemSample, queueStatusSample, type QueueItem } from '@autoposter/contracts';
import { screen, waitFor } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const pagination = { currentPage: 1, totalPages: 1, totalCount: 1, hasPrevPage: false, hasNextPage: false };
const WITH_FACEBOOK = '0197bbbb-0000-7000-8000-000000000002';
const ROUTE = 'PUT /api/instagram-queue/*/options';
const offers = { available: true, reason: null };
const entry = (name: string, label: string, kinds: QueueItem['kind'][]) => ({ name, label, kinds, instagram: offers, facebook: offers });
const capabilities = {
  ...capabilitiesSample,
  capabilities: [
    ...capabilitiesSample.capabilities,
    entry('collaborators', 'Collaborators', ['reel', 'image', 'carousel']),
    entry('story', 'Story', ['story']),
    entry('altText', 'Alternative text', ['image']),
    entry('altTexts', 'Alternative texts', ['carousel']),
    entry('userTags', 'Tagged accounts', ['reel', 'image', 'story']),
    entry('thumbOffsetMs', 'Cover from the video', ['reel']),
    entry('uploadedCover', 'Cover picture', ['reel']),
    entry('productTags', 'Product tags', ['reel', 'image']),
    entry('trialReel', 'Trial reel', ['reel']),
    entry('paidPartnership', 'Paid partnership', ['reel']),
    entry('sponsorIds', 'Sponsors', ['reel']),
  ],
};

async function open(options: QueueItem['options'] = {}, { status, coverUrl, accountId, kind }: Partial<QueueItem> = queueItemSample) {
  const api = new FakeApi()
    .on('GET /api/instagram-queue', {
      success: true,
      data: {
        posts: [
          {
            ...queueItemSample,
            ...{ options, accountId, status: status ?? queueItemSample.status, coverUrl: coverUrl ?? null },
            kind: kind ?? queueItemSample.kind,
          },
        ],
        pagination,
      },
    })
    .on('GET /api/instagram-queue/status', { success: true, data: queueStatusSample })
    .on('GET /api/instagram-queue/statistics', apiSamples.instagramQueue.statistics.response)
    .reply('GET /api/instagram/capabilities', ({ query }) => ({
      body: { success: true, data: { ...capabilities, login: query['accountId'] === WITH_FACEBOOK ? 'facebook' : 'instagram' } },
    }))
    .on(ROUTE, apiSamples.instagramQueue.setOptions.response);
  const { user } = renderScreen('/admin/instagram-queue');
  await user.click(await screen.findByRole('button', { name: 'Options' }));
  await screen.findByLabelText('Collaborators');
  const bodies = () =>
    api.calls('PUT', `/api/instagram-queue/${queueItemSample._id}/options`).map(({ body }) => body as { replaces: object });
  const sent = () => bodies().map(({ replaces: _replaces, ...chosen }) => chosen);
  return { api, user, sent, replaced: () => bodies().map(({ replaces }) => replaces) };
}

describe('publish options', () => {
  it('sends what was chosen and leaves out what stays as Instagram has it', async () => {
    const { user, sent } = await open();
    await user.click(screen.getByRole('checkbox', { name: 'Share to feed' }));
    await user.type(screen.getByLabelText('Collaborators'), '@a.friend, another');
    await user.type(screen.getByLabelText('Cover from the video'), '1.5');
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([{ shareToFeed: false, collaborators: ['a.friend', 'another'], thumbOffsetMs: 1500 }]);
  });

  it('saves only over the options that the person has seen, and shows that others were saved meanwhile', async () => {
    const { api, user, sent, replaced } = await open({ collaborators: ['first'] });
    const refused = 'These options were changed meanwhile. Check the new ones, then save again to replace them.';
    const options = { collaborators: ['second'], shareToFeed: false };
    api.fail(ROUTE, refused, 409).on('GET /api/instagram-queue', {
      success: true,
      data: { posts: [{ ...queueItemSample, options, coverUrl: null }], pagination },
    });
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    expect(await screen.findByText(`Error: ${refused}`)).toBeVisible();
    expect(await screen.findByText('The options of this post were changed meanwhile. Saving replaces them.')).toBeVisible();
    expect(screen.getByLabelText('Collaborators')).toHaveValue('first');
    await user.click(screen.getByRole('button', { name: 'Show the new ones' }));
    expect(screen.getByLabelText('Collaborators')).toHaveValue('second');
    expect(screen.queryByText(/^The options of this post were changed/u)).toBeNull();
    api.on(ROUTE, apiSamples.instagramQueue.setOptions.response);
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent().at(-1)).toEqual(options);
    expect(replaced()).toEqual([{ collaborators: ['first'] }, options]);
  });

  it('disables what the login or the kind of post does not have, with the reason', async () => {
    await open();
    expect(screen.getByLabelText('Licensed audio')).toBeDisabled();
    expect(screen.getByText('Instagram offers it with Facebook Login only.')).toBeVisible();
    expect(screen.getByLabelText('Alternative text')).toBeDisabled();
    expect(screen.getByLabelText('Alternative texts')).toBeDisabled();
    expect(screen.getAllByText('Not for a reel.')).toHaveLength(2);
  });

  it('keeps what the login of the account of the post has, whatever that of the environment lacks', async () => {
    const { user, sent } = await open({ audioId: '12345678' }, { accountId: WITH_FACEBOOK });
    expect(screen.getByLabelText('Licensed audio')).toBeEnabled();
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(sent()).toMatchObject([{ audioId: '12345678' }]));
  });

  it('sends the places of tags on a picture, and shows them', async () => {
    const { user, sent } = await open({ userTags: ['a.friend', { username: 'another', x: 0.29, y: 0.8 }] }, { kind: 'image' });
    expect(screen.getByLabelText('Tagged accounts')).toHaveValue('a.friend, another:29:80');
    await user.type(screen.getByLabelText('Tagged accounts'), ', third:5:100');
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    const tags = ['a.friend', { username: 'another', x: 0.29, y: 0.8 }, { username: 'third', x: 0.05, y: 1 }];
    await waitFor(() => expect(sent()).toEqual([{ userTags: tags }]));
  });

  it('sends the sponsors of a paid partnership only', async () => {
    const { user, sent } = await open({ paidPartnership: true, sponsorIds: ['17841400000000001'] });
    await user.type(screen.getByLabelText('Sponsors'), ', 17841400000000002');
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(sent()).toEqual([{ paidPartnership: true, sponsorIds: ['17841400000000001', '17841400000000002'] }]));
    await user.click(await screen.findByRole('button', { name: 'Options' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Paid partnership' }));
    expect(screen.queryByLabelText('Sponsors')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(sent().at(-1)).toEqual({}));
  });

  it('sends a trial reel and the places of product tags', async () => {
    const { user, sent } = await open({ productTags: [{ productId: '1234567', x: 0.2, y: 0.8 }] });
    expect(screen.getByLabelText('Product tags')).toHaveValue('1234567:20:80');
    await user.type(screen.getByLabelText('Product tags'), ' 7654321');
    await user.click(screen.getByLabelText('Trial reel'));
    await user.click(await screen.findByRole('option', { name: 'Yes, until you share it with everyone' }));
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    const productTags = [
      { productId: '1234567', x: 0.2, y: 0.8 },
      { productId: '7654321', x: 0.5, y: 0.5 },
    ];
    await waitFor(() => expect(sent()).toEqual([{ productTags, trialReel: 'manual' }]));
  });

  it('sends the alternative text of each file of a carousel', async () => {
    const { user, sent } = await open({ altTexts: ['A fox'] }, { kind: 'carousel' });
    await user.type(screen.getByLabelText('Alternative texts'), '{Enter}{Enter}A dog ');
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(sent()).toEqual([{ altTexts: ['A fox', '', 'A dog'] }]));
  });

  it('sends a story without what a story does not have', async () => {
    const { user, sent } = await open({ collaborators: ['a.friend'] });
    await user.click(screen.getByRole('checkbox', { name: 'Story' }));
    expect(screen.getByText('Instagram shows it for 24 hours, without the caption.')).toBeVisible();
    expect(screen.getByLabelText('Collaborators')).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([{ story: true }]);
  });

  it('removes an option that is not offered any more from a failed post', async () => {
    const { user, sent } = await open(
      { audioId: '18', audioVolume: 50, videoVolume: 20, collaborators: ['a.friend'] },
      { status: 'failed' },
    );
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent()).toEqual([{ collaborators: ['a.friend'] }]);
  });

  it('stores a cover as soon as it is chosen, and shows it', async () => {
    const { api, user } = await open();
    const stored = { ...queueItemSample, coverUrl: '/api/media/uploaded-cover/1?picture=ab' };
    api.on('PUT /api/instagram-queue/*/cover', { success: true, data: stored });
    const picture = new File(['abc'], 'cover.jpg', { type: 'image/jpeg' });
    await user.upload(screen.getByLabelText('Choose picture', { selector: 'input' }), picture);
    expect(await screen.findByRole('img', { name: 'Chosen cover' })).toHaveAttribute('src', stored.coverUrl);
    expect(screen.getByText('The cover was saved')).toBeVisible();
    expect(api.calls('PUT', `/api/instagram-queue/${queueItemSample._id}/cover`)).toHaveLength(1);
  });

  it('says why a cover was refused', async () => {
    const { api, user } = await open();
    api.fail('PUT /api/instagram-queue/*/cover', 'Cover picture: the file stores it turned; save it upright.', 422);
    await user.upload(screen.getByLabelText('Choose picture', { selector: 'input' }), new File(['a'], 'a.jpg', { type: 'image/jpeg' }));
    expect(await screen.findByText('Error: Cover picture: the file stores it turned; save it upright.')).toBeVisible();
    expect(screen.queryByRole('img', { name: 'Chosen cover' })).toBeNull();
  });

  it('removes a cover, also of a post that became a story', async () => {
    const { api, user } = await open({}, { coverUrl: '/api/media/uploaded-cover/1?picture=ab' });
    api.on('DELETE /api/instagram-queue/*/cover', { success: true, data: { ...queueItemSample, coverUrl: null } });
    await user.click(screen.getByRole('checkbox', { name: 'Story' }));
    expect(screen.queryByLabelText('Choose picture', { selector: 'input' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove picture' }));
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Chosen cover' })).toBeNull());
  });

  it('shows the options of the post and keeps the dialog open when they are refused', async () => {
    const { api, user } = await open({ shareToFeed: false, collaborators: ['a.friend'] });
    expect(screen.getByRole('checkbox', { name: 'Share to feed' })).not.toBeChecked();
    expect(screen.getByLabelText('Collaborators')).toHaveValue('a.friend');
    api.fail(ROUTE, 'Collaborators: must be an Instagram username', 422);
    await user.click(screen.getByRole('button', { name: 'Save options' }));
    expect(await screen.findByText('Error: Collaborators: must be an Instagram username')).toBeVisible();
    expect(screen.getByRole('dialog')).toBeVisible();
  });
});
