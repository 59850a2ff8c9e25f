import {
  answerCountSample,
  evidenceSample,
  instagramAccountsSample,
  noticeSample,
  openMatchSample,
  rightsCaseSample,
  rightsThresholdsSample,
  strikesSample,
} from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const page = (posts: object[]) => ({
  success: true,
  data: { posts, pagination: { currentPage: 1, totalPages: 1, totalCount: posts.length, hasPrevPage: false, hasNextPage: false } },
});
const ok = (data: object) => ({ success: true, data });

describe('matches to decide', () => {
  const start = () =>
    new FakeApi()
      .on('GET /api/rights/matches', page([openMatchSample]))
      .on('GET /api/rights/answers', ok([answerCountSample]))
      .on('GET /api/rights/thresholds', ok(rightsThresholdsSample))
      .on('PUT /api/rights/thresholds', ok(rightsThresholdsSample))
      .on('POST /api/rights/answers', ok({ itemId: openMatchSample.itemId, state: 'ready' }))
      .on('GET /api/rights/items/*/evidence', ok(evidenceSample));

  it.each([
    ['Not the same', 'different', 'Released; this work no longer stops the post'],
    ['Same work', 'same', 'Confirmed; the post is blocked'],
  ])('answers with "%s"', async (label, answer, said) => {
    const api = start();
    const { user } = renderScreen('/admin/rights?view=matches');
    const match = await screen.findByRole('article', { name: openMatchSample.title });
    expect(within(match).getByText(/^2 of 24 frames, the closest differ in 28 of 256 bits/u)).toBeVisible();
    await user.click(within(match).getByRole('button', { name: label }));
    expect(await screen.findByText(said)).toBeVisible();
    const { itemId, other } = openMatchSample;
    expect(api.calls('POST', '/api/rights/answers')[0]?.body).toEqual({ itemId, other: { kind: other.kind, id: other.id }, answer });
  });

  it('lists answered matches and changes an answer', async () => {
    const answered = { answer: 'different', by: 'admin@example.com', at: openMatchSample.decidedAt } as const;
    const api = start().reply('GET /api/rights/matches', ({ query }) => ({
      body: page(query['answered'] === 'true' ? [{ ...openMatchSample, answered }] : []),
    }));
    const { user } = renderScreen('/admin/rights?view=matches');
    expect(await screen.findByText('No match waits for a decision')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Answered' }));
    expect(await screen.findByRole('heading', { name: 'Answered matches' })).toBeVisible();
    const match = await screen.findByRole('article', { name: openMatchSample.title });
    expect(within(match).getByText(/ · answered by admin@example\.com on /u)).toBeVisible();
    expect(within(match).queryByRole('button', { name: 'Not the same' })).toBeNull();
    await user.click(within(match).getByRole('button', { name: 'Same work' }));
    expect(await screen.findByText('Confirmed; the post is blocked')).toBeVisible();
    expect(api.calls('POST', '/api/rights/answers')[0]?.body).toMatchObject({ answer: 'same' });
  });

  it('shows the matching frames side by side with share, offset and views', async () => {
    start();
    renderScreen('/admin/rights?view=matches');
    const match = await screen.findByRole('article', { name: openMatchSample.title });
    expect(within(match).getByLabelText('This post')).toHaveAttribute('src', `${openMatchSample.ours?.url}#t=3.50`);
    expect(within(match).getByLabelText('Claimed work')).toHaveAttribute('src', `${openMatchSample.theirs?.url}#t=13.50`);
    const details =
      /40 % of this post · 75 % of the work · views full and mirrored · 0:02 to 0:08 here is 0:12 to 0:18 there \(offset 10\.0 s\)/u;
    expect(within(match).getByText(details)).toBeVisible();
  });

  it('shows pictures with the result of the second stage, and says what is no longer stored', async () => {
    const picture = {
      ...{ shareOfOurs: null, shareOfTheirs: null, segment: null, views: ['full', 'full'], file: 1, theirs: null },
      ours: { url: '/api/media/compared/1', mediaType: 'image', atSeconds: null },
      comparison: { correlation: 0.712, differing: 0.06, leastAlike: 0.31 },
    };
    start().on('GET /api/rights/matches', page([{ ...openMatchSample, ...picture }]));
    renderScreen('/admin/rights?view=matches');
    const match = await screen.findByRole('article', { name: openMatchSample.title });
    expect(within(match).getByRole('img', { name: 'This post' })).toHaveAttribute('src', '/api/media/compared/1');
    expect(within(match).getByText('No picture is stored any more')).toBeVisible();
    expect(within(match).getByText(/· file 2 · pixel correlation 0\.71 · 6 % of the details differ ·/u)).toBeVisible();
  });

  it('counts per threshold how often its blocks and flags were rejected', async () => {
    const block = { verdict: 'blocked', rule: 'video', from: 0.6, confirmed: 1, rejected: 1 };
    const picture = { ...block, rule: 'picture', from: 0.8 };
    const rows = [answerCountSample, { ...answerCountSample, from: 0.5, confirmed: 4, rejected: 0 }, block, picture];
    start().on('GET /api/rights/answers', ok(rows));
    renderScreen('/admin/rights?view=matches');
    const videos = await screen.findByRole('region', { name: 'Videos' });
    expect(within(videos).getByText('Blocks: 1 of 2 rejected (50 %) · share 0.6 to 0.7: 1 of 2 rejected (50 %)')).toBeVisible();
    expect(within(videos).getByText(/^Flags: 1 of 8 rejected \(13 %\) · share 0\.4 to 0\.5: 1 of 4 rejected \(25 %\)/u)).toBeVisible();
    const pictures = within(screen.getByRole('region', { name: 'Pictures' }));
    expect(pictures.getByText('Blocks: 1 of 2 rejected (50 %) · least alike area 0.8 to 0.9: 1 of 2 rejected (50 %)')).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Sounds' })).getByText('No answers yet.')).toBeVisible();
  });

  it('does not report that there are no answers when they could not be loaded', async () => {
    start().fail('GET /api/rights/answers', 'The database is away');
    renderScreen('/admin/rights?view=matches');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    expect(screen.queryByText('No answers yet.')).toBeNull();
  });

  it('saves thresholds within their ranges', async () => {
    const api = start();
    const { user } = renderScreen('/admin/rights?view=matches');
    const flag = await screen.findByRole('spinbutton', { name: 'Flag from this share' });
    const save = screen.getByRole('button', { name: 'Save thresholds' });
    await user.clear(flag);
    await user.type(flag, '0.8');
    expect(screen.getByText('Must not be greater than the share from which videos are blocked.')).toBeVisible();
    expect(save).toBeDisabled();
    await user.clear(flag);
    await user.type(flag, '0.01');
    expect(save).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Use defaults' }));
    await user.click(save);
    expect(await screen.findByText('Thresholds saved')).toBeVisible();
    expect(api.calls('PUT', '/api/rights/thresholds')[0]?.body).toEqual({ ...rightsThresholdsSample, videoBlockShare: 0.6 });
  });

  it('exports the evidence of a post as a file', async () => {
    start();
    const saved: Blob[] = [];
    Object.assign(URL, { createObjectURL: (blob: Blob) => (saved.push(blob), 'blob:x'), revokeObjectURL: () => undefined });
    const { user } = renderScreen('/admin/rights?view=matches');
    await user.click(await screen.findByRole('button', { name: 'Export evidence' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.type).toBe('application/json');
    expect(await screen.findByText(`Evidence exported; signed with key ${evidenceSample.signedBy.keyId}`)).toBeVisible();
  });
});

describe('takedown notices', () => {
  const start = (notice: object = noticeSample) =>
    new FakeApi()
      .on('GET /api/rights/notices', page([noticeSample]))
      .on('GET /api/rights/notices/*', ok(notice))
      .on('GET /api/rights/strikes', ok(strikesSample))
      .on('GET /api/rights/cases', page([]))
      .on('POST /api/rights/notices', ok(noticeSample))
      .on('POST /api/rights/notices/*/answer', ok({ ...noticeSample, status: 'answered' }))
      .on('POST /api/rights/notices/*/counter-notice', ok({ ...noticeSample, status: 'countered' }))
      .on('POST /api/rights/notices/*/close', ok({ ...noticeSample, status: 'upheld' }))
      .on('POST /api/rights/cases/*', ok({ ...rightsCaseSample, state: 'removing' }));

  it('lists the strikes with the time they count, and opens the notice of one', async () => {
    const [strike] = strikesSample.strikes;
    const times = { struckAt: '2026-05-01T10:00:00Z', expiresAt: '2026-07-30T10:00:00Z' };
    const strikes = [
      { ...strike, ...times, id: '1', reason: 'Notice A', expiresAt: '2999-07-30T10:00:00Z' },
      { ...strike, ...times, id: '2', reason: 'Notice B' },
      { ...strike, ...times, id: '3', reason: 'Notice C', clearedAt: '2026-05-02T10:00:00Z', noticeId: null },
    ];
    start().on('GET /api/rights/strikes', ok({ ...strikesSample, strikes }));
    const { user } = renderScreen('/admin/rights?view=notices');
    const row = async (name: string) => await screen.findByRole('article', { name });
    expect(await row('Notice A')).toHaveTextContent(/Since .+ · counts until .+2999/u);
    expect(await row('Notice B')).toHaveTextContent(/Since .+ · expired /u);
    expect(await row('Notice C')).toHaveTextContent(/Since .+ · cleared /u);
    expect(within(await row('Notice C')).queryByRole('button')).toBeNull();
    await user.click(within(await row('Notice B')).getByRole('button', { name: 'Open notice' }));
    expect(await screen.findByRole('button', { name: 'All notices' })).toBeVisible();
  });

  it.each([
    ['upheld', 'Upheld', 'red'],
    ['restored', 'Restored', 'green'],
    ['rejected', 'Rejected', 'grey'],
  ])('tells a notice that was %s from those that wait', async (status, label, tone) => {
    start().on('GET /api/rights/notices', page([{ ...noticeSample, status, closedAt: noticeSample.receivedAt }]));
    renderScreen('/admin/rights?view=notices');
    expect(await screen.findByText(label)).toHaveAttribute('data-tone', tone);
  });

  it('lists removals that are pending or have failed beside the notices, and marks those that are overdue', async () => {
    const failed = { ...rightsCaseSample, state: 'removing', note: 'Instagram does not answer.', dueAt: '2026-01-02T10:00:00Z' };
    const due = { ...rightsCaseSample, id: '01890000-0000-7000-8000-000000000777', title: 'Due later', dueAt: '2999-01-02T10:00:00Z' };
    const api = start().on('GET /api/rights/cases', page([failed, due]));
    renderScreen('/admin/rights?view=notices');
    const row = await screen.findByRole('article', { name: rightsCaseSample.title });
    expect(within(row).getByText('Instagram does not answer.')).toBeVisible();
    expect(within(row).getByText('Overdue')).toBeVisible();
    expect(within(screen.getByRole('article', { name: 'Due later' })).queryByText('Overdue')).toBeNull();
    expect(api.calls('GET', '/api/rights/cases')[0]?.query).toMatchObject({ state: 'pending' });
  });

  it('names the account of a strike where there are several', async () => {
    const { accounts: known, ...state } = instagramAccountsSample;
    const second = { ...known[0], id: '0197bbbb-0000-7000-8000-000000000002', source: 'connected', username: 'second.page' };
    const [strike] = strikesSample.strikes;
    const counted = [
      { accountId: known[0]?.id, active: 2 },
      { accountId: second.id, active: 1 },
    ];
    start()
      .on('GET /api/instagram-accounts', ok({ ...state, accounts: [...known, second] }))
      .on('GET /api/rights/strikes', ok({ ...strikesSample, accounts: counted, strikes: [{ ...strike, accountId: second.id }] }));
    renderScreen('/admin/rights?view=notices');
    await waitFor(async () =>
      expect(await screen.findByRole('article', { name: strike?.reason })).toHaveTextContent('@second.page · Since '),
    );
    expect(
      screen.getByText('Strikes in the last 90 days: @autoposter.demo 2, @second.page 1; publishing on an account pauses at 3.'),
    ).toBeVisible();
  });

  describe('with several accounts', () => {
    const { accounts: known, ...state } = instagramAccountsSample;
    const second = { ...known[0], id: '0197bbbb-0000-7000-8000-000000000002', source: 'connected', username: 'second.page' };
    const paused = { paused: true, by: 'autoposter', since: '2026-05-01T10:00:00Z', cause: 'strikes' };

    it('names those of notices and cases', async () => {
      const found = { ...rightsCaseSample, accountId: second.id };
      const about = { ...noticeSample, accountIds: [known[0]?.id, second.id, '0197bbbb-0000-7000-8000-000000000003'] };
      start({ ...about, cases: [found, { ...found, id: '1', title: 'Stopped', accountId: null }] })
        .on('GET /api/instagram-accounts', ok({ ...state, accounts: [...known, second] }))
        .on('GET /api/rights/notices', page([about]))
        .on('GET /api/rights/cases', page([found]));
      const { user } = renderScreen('/admin/rights?view=notices');
      const all = '@autoposter.demo · @second.page · a disconnected account';
      const row = await screen.findByRole('article', { name: /^Valley at dawn · / });
      await waitFor(() => expect(row).toHaveTextContent(`North Light Pictures · ${all}`));
      expect(await screen.findByText('@second.page · Claim: Valley at dawn · Notice: NL-2026-17')).toBeVisible();
      await user.click(within(row).getByRole('button', { name: 'Open notice' }));
      expect(await screen.findByText(`North Light Pictures · law@northlight.example · NL-2026-17 · ${all}`)).toBeVisible();
      expect(
        within(await screen.findByRole('article', { name: 'Stopped' })).getByText('Claim: Valley at dawn · Notice: NL-2026-17'),
      ).toBeVisible();
    });

    it('offers to resume publishing on those that are paused for strikes that no longer count', async () => {
      const accounts = [known[0], second].map((account) => ({ ...account, publishing: paused }));
      const counted = [
        { accountId: known[0]?.id, active: 3 },
        { accountId: second.id, active: 2 },
      ];
      const api = start()
        .on('GET /api/instagram-accounts', ok({ ...state, accounts }))
        .on('GET /api/rights/strikes', ok({ ...strikesSample, accounts: counted }))
        .on('POST /api/instagram-accounts/*/resume', ok({ ...paused, paused: false }));
      const { user } = renderScreen('/admin/rights?view=notices');
      expect(await screen.findByText('Publishing on @second.page is still paused for strikes that no longer count.')).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Resume publishing' }));
      await waitFor(() =>
        expect(api.calls('POST', `/api/instagram-accounts/${second.id}/resume`)[0]?.body).toEqual({ since: paused.since }),
      );
    });
  });

  it('shows why each post is in a case: what it shows of the work, what the claim names, and what Instagram names', async () => {
    const other = { ...rightsCaseSample, id: '01890000-0000-7000-8000-000000000778', title: 'Matched by Instagram', evidence: null };
    start().on('GET /api/rights/cases', page([rightsCaseSample, { ...other, platformMatches: ['Dawn (music)', 'Dusk'] }]));
    renderScreen('/admin/rights?view=notices');
    const row = await screen.findByRole('article', { name: rightsCaseSample.title });
    expect(within(row).getByLabelText('This post')).toHaveAttribute('src', `${openMatchSample.ours?.url}#t=3.50`);
    expect(within(row).getByLabelText('Claimed work')).toHaveAttribute('src', `${openMatchSample.theirs?.url}#t=13.50`);
    expect(within(row).getByText(/^The notice names this post · 2 of 24 frames, .+ · 75 % of the work · /u)).toBeVisible();
    const named = await screen.findByRole('article', { name: 'Matched by Instagram' });
    expect(within(named).getByText('Instagram names: Dawn (music), Dusk')).toBeVisible();
    expect(within(named).queryByLabelText('This post')).toBeNull();
  });

  it('marks an open case whose claim is disputed, and no deadline of it', async () => {
    start({ ...noticeSample, cases: [{ ...rightsCaseSample, claimStatus: 'disputed', dueAt: '2026-01-02T10:00:00Z' }] });
    renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    const post = await screen.findByRole('article', { name: rightsCaseSample.title });
    expect(within(post).getByText('Claim disputed')).toBeVisible();
    expect(within(post).queryByText('Overdue')).toBeNull();
    expect(within(post).queryByText(/^due /u)).toBeNull();
    expect(within(post).getByRole('button', { name: 'Keep post' })).toBeVisible();
  });

  it('tells cases of one post apart by claim and notice, or by their reason', async () => {
    const second = { ...rightsCaseSample, id: '01890000-0000-7000-8000-000000000779', noticeId: null, noticeReference: null };
    const third = { ...second, id: '01890000-0000-7000-8000-000000000780', reason: 'permission_revoked', claimTitle: null, evidence: null };
    start().on('GET /api/rights/cases', page([rightsCaseSample, { ...second, claimTitle: 'Dusk' }, third]));
    renderScreen('/admin/rights?view=notices');
    expect(await screen.findByText('Claim: Valley at dawn · Notice: NL-2026-17')).toBeVisible();
    expect(screen.getByText('Claim: Dusk')).toBeVisible();
    expect(screen.getByText('Permission revoked')).toBeVisible();
  });

  it('runs DMCA protection again for a stopped post whose claim has ended', async () => {
    const held = { ...rightsCaseSample, state: 'held' };
    const cases = [
      { ...held, canRunAgain: true },
      { ...held, id: '2', title: 'Deleted since' },
    ];
    const api = start({ ...noticeSample, status: 'restored', closedAt: noticeSample.receivedAt, cases });
    api.on('POST /api/dmca/process/*', ok({ jobId: '1' }));
    const { user } = renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    const post = await screen.findByRole('article', { name: rightsCaseSample.title });
    const button = { name: 'Run DMCA protection' };
    expect(within(await screen.findByRole('article', { name: 'Deleted since' })).queryByRole('button', button)).toBeNull();
    await user.click(within(post).getByRole('button', button));
    expect(await screen.findByText('DMCA protection requested')).toBeVisible();
    expect(api.calls('POST', `/api/dmca/process/${rightsCaseSample.itemId}`)).toHaveLength(1);
  });

  it('says of a strike why it counts for no account', async () => {
    const [strike] = strikesSample.strikes;
    start().on('GET /api/rights/strikes', ok({ ...strikesSample, strikes: [{ ...strike, accountId: null }] }));
    renderScreen('/admin/rights?view=notices');
    expect(await screen.findByRole('article', { name: strike?.reason })).toHaveTextContent(
      'counts for no account: the notice is about no published post',
    );
  });

  it.each(['restored', 'rejected'])('says which posts of a notice that was %s stay stopped or removed', async (status) => {
    const cases = (['held', 'held', 'removed', 'dismissed'] as const).map((state, at) => ({ ...rightsCaseSample, id: `${at}`, state }));
    start({ ...noticeSample, status, closedAt: noticeSample.receivedAt, cases });
    renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    expect(await screen.findByText(/^Stopped for this notice: 2 posts\. Run DMCA protection again/u)).toBeVisible();
    expect(screen.getByText(/^Removed for this notice: 1 post\. Publish each one/u)).toBeVisible();
  });

  it('says that the strikes could not be loaded', async () => {
    start().fail('GET /api/rights/strikes', 'The database does not answer.', 503);
    renderScreen('/admin/rights?view=notices');
    expect(await screen.findByText('Error: The database does not answer.')).toBeVisible();
  });

  it('records a notice with what it has, and opens it', async () => {
    const api = start();
    const { user } = renderScreen('/admin/rights?view=notices');
    expect(await screen.findByText('1 strike in the last 90 days; publishing on an account pauses at 3.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Record notice' }));
    await user.click(screen.getByRole('button', { name: 'Record and find posts' }));
    expect(screen.getByText('This field is required.')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /^Claimant/u }), 'North Light');
    await user.type(
      screen.getByRole('textbox', { name: 'Addresses of our posts, one per line' }),
      'https://a.example/1{Enter}https://a.example/2',
    );
    await user.click(screen.getByRole('checkbox', { name: /good-faith/u }));
    await user.click(screen.getByRole('button', { name: 'Record and find posts' }));
    expect(await screen.findByRole('button', { name: 'All notices' })).toBeVisible();
    expect(api.calls('POST', '/api/rights/notices')[0]?.body).toEqual({
      claimant: 'North Light',
      workUrls: [],
      locations: ['https://a.example/1', 'https://a.example/2'],
      receivedAt: expect.any(String),
      goodFaith: true,
      accurate: false,
    });
  });

  it('works a notice: starts a removal, records the answer and a counter notice, and closes it', async () => {
    const api = start();
    const { user } = renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    const post = await screen.findByRole('article', { name: rightsCaseSample.title });
    expect(within(post).getByRole('link', { name: 'Open on Instagram' })).toHaveAttribute('href', rightsCaseSample.permalink);
    expect(screen.getByText('Repeat infringer: fog_watcher with 2 upheld notices')).toBeVisible();
    await user.click(within(post).getByRole('button', { name: 'Start removal' }));
    expect(await screen.findByText('Case updated')).toBeVisible();
    expect(api.calls('POST', `/api/rights/cases/${rightsCaseSample.id}`)[0]?.body).toEqual({ action: 'remove' });
    expect(screen.getByRole('textbox', { name: 'Answer' })).toHaveValue(noticeSample.draft);
    await user.click(screen.getByRole('button', { name: 'Record as sent' }));
    expect(await screen.findByText('Answer recorded')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Record counter notice' }));
    const dialog = await screen.findByRole('dialog', { name: 'Record counter notice' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Sender of the counter notice' }), 'Fog Watcher');
    await user.type(within(dialog).getByRole('textbox', { name: 'Statement' }), 'It is mine.');
    await user.click(within(dialog).getByRole('button', { name: 'Record counter notice' }));
    expect(await screen.findByText('Counter notice recorded')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Close as restored' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Close as upheld' }));
    const question = await screen.findByRole('alertdialog');
    expect(question).toHaveTextContent('Not removed yet: 1 post; the removal stays due.');
    await user.click(within(question).getByRole('button', { name: 'Close as upheld' }));
    await waitFor(() => expect(api.calls('POST', `/api/rights/notices/${noticeSample.id}/close`)[0]?.body).toEqual({ outcome: 'upheld' }));
  });

  it('follows a removal until a worker has executed it, and keeps an answer that is being edited', async () => {
    const api = start({ ...noticeSample, cases: [{ ...rightsCaseSample, state: 'removing' }], draft: 'The removal is in progress.' });
    const { user } = renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    const post = await screen.findByRole('article', { name: rightsCaseSample.title });
    expect(within(post).getByText('Removal started')).toBeVisible();
    api.on(
      'GET /api/rights/notices/*',
      ok({ ...noticeSample, cases: [{ ...rightsCaseSample, state: 'removed' }], draft: 'We removed it.' }),
    );
    const answer = screen.getByRole('textbox', { name: 'Answer' });
    await user.type(answer, ' Sorry.');
    expect(await within(post).findByText('Removed')).toBeVisible();
    expect(answer).toHaveValue('The removal is in progress. Sorry.');
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(answer).toHaveValue('We removed it.');
  });

  it('shows the answer of a closed notice, and takes one only where it has none', async () => {
    const closed = { ...noticeSample, status: 'upheld', closedAt: noticeSample.receivedAt };
    const api = start({ ...closed, answer: 'We removed it.' });
    const { unmount } = renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    expect(await screen.findByRole('textbox', { name: 'Answer' })).toHaveValue('We removed it.');
    expect(screen.getByRole('textbox', { name: 'Answer' })).toHaveAttribute('readonly');
    expect(screen.queryByRole('button', { name: 'Record as sent' })).toBeNull();
    unmount();
    api.on('GET /api/rights/notices/*', ok({ ...closed, answer: null }));
    renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    expect(await screen.findByText('It was closed without an answer.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Answer' })).not.toHaveAttribute('readonly');
    expect(screen.getByRole('button', { name: 'Record as sent' })).toBeEnabled();
  });

  it.each([
    ['begins', '2999-06-01T00:00:00Z', false],
    ['has begun', '2026-01-01T00:00:00Z', true],
  ])('offers to restore posts only once their window %s', async (_when, restoreFrom, isOffered) => {
    start({ ...noticeSample, status: 'countered', counterReceivedAt: noticeSample.receivedAt, restoreFrom, restoreBy: restoreFrom });
    renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    expect(await screen.findByRole('button', { name: 'Close as upheld' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Close as restored' }) !== null).toBe(isOffered);
  });

  it.each([
    ['upheld', null, true],
    ['upheld', noticeSample.receivedAt, false],
    ['rejected', null, false],
  ])('takes one counter notice after an upheld notice: %s, counter notice of %s', async (status, counterReceivedAt, isOffered) => {
    start({ ...noticeSample, status, counterReceivedAt, closedAt: noticeSample.receivedAt });
    renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    expect(await screen.findByRole('textbox', { name: 'Answer' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Record counter notice' }) !== null).toBe(isOffered);
  });

  it('says what an incomplete notice lacks', async () => {
    start({ ...noticeSample, status: 'incomplete', missing: ['signature', 'contact'], cases: [], claimId: null });
    renderScreen(`/admin/rights?view=notices&notice=${noticeSample.id}`);
    expect(await screen.findByText('The notice lacks: signature, contact. No post was stopped.')).toBeVisible();
    expect(screen.getByText('No post shows the work.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Record counter notice' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Close as upheld' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Close as rejected' })).toBeVisible();
  });
});
