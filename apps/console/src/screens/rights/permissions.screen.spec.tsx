import { permissionSample, requestedPermissionSample as requested, rightsCaseSample, type PermissionView } from '@autoposter/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { setPreferences } from '../../preferences/preferences';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const page = (posts: object[]) => ({
  success: true,
  data: { posts, pagination: { currentPage: 1, totalPages: 1, totalCount: posts.length, hasPrevPage: false, hasNextPage: false } },
});
const ok = (data: object) => ({ success: true, data });
const ROW = 'Author: reddit:fog_watcher';

function start(permissions: PermissionView[], cases: object[] = [], about: Record<string, string> = {}) {
  const api = new FakeApi()
    .on('GET /api/rights/permissions', page(permissions))
    .on('GET /api/rights/cases', page(cases))
    .on('POST /api/rights/permissions', ok(requested))
    .on('POST /api/rights/permissions/*/answer', ok(permissionSample))
    .on('PUT /api/rights/permissions/*/proof', ok(permissionSample))
    .on('POST /api/rights/permissions/*/revoke', ok({ ...permissionSample, status: 'revoked', held: { blocked: 0, flagged: 1, out: [] } }));
  return { api, ...renderScreen(`/admin/rights?${new URLSearchParams({ view: 'permissions', ...about }).toString()}`) };
}

describe('permissions', () => {
  it('drafts a request to an author', async () => {
    const { api, user } = start([]);
    expect(await screen.findByText('No permissions yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ask for permission' }));
    await user.click(screen.getByRole('button', { name: 'Draft request' }));
    expect(screen.getAllByText('This field is required.')).toHaveLength(2);
    await user.type(screen.getByRole('textbox', { name: /u\/name or @name/u }), 'u/fog_watcher');
    await user.type(screen.getByRole('textbox', { name: /Who is asked/u }), 'Fog Watcher');
    await user.click(screen.getByRole('button', { name: 'Draft request' }));
    expect(await screen.findByText('Request drafted; copy it and send it yourself')).toBeVisible();
    expect(api.calls('POST', '/api/rights/permissions')[0]?.body).toEqual({
      kind: 'author',
      named: 'u/fog_watcher',
      grantor: 'Fog Watcher',
    });
  });

  it('opens the form for a post with its address, author and title, and closes it for good once the request is drafted', async () => {
    const post = 'https://www.reddit.com/r/EarthPorn/comments/1abcde/morning_fog/';
    const { api, user, router } = start([], [], { post, author: 'u/fog_watcher', title: 'Morning fog & dew' });
    const form = await screen.findByRole('region', { name: 'Ask for permission' });
    expect(within(form).getByText('Morning fog & dew')).toBeVisible();
    expect(within(form).getByRole('textbox', { name: /Address of the post/u })).toHaveValue(post);
    expect(within(form).getByRole('textbox', { name: /Who is asked/u })).toHaveValue('u/fog_watcher');
    await user.click(within(form).getByRole('button', { name: 'Author' }));
    expect(within(form).getByRole('textbox', { name: /u\/name or @name/u })).toHaveValue('u/fog_watcher');
    await user.click(within(form).getByRole('button', { name: 'Post' }));
    await user.click(within(form).getByRole('button', { name: 'Draft request' }));
    expect(await screen.findByText('Request drafted; copy it and send it yourself')).toBeVisible();
    expect(api.calls('POST', '/api/rights/permissions')[0]?.body).toEqual({ kind: 'url', named: post, grantor: 'u/fog_watcher' });
    await waitFor(() => expect(form).not.toBeInTheDocument());
    expect(router.state.location.search).toBe('?view=permissions');
  });

  it('records the answer with credit and uploads its proof', async () => {
    const { api, user } = start([requested]);
    const row = await screen.findByRole('article', { name: ROW });
    expect(within(row).getByRole('textbox', { name: 'Request to send' })).toHaveValue(requested.request);
    await user.type(within(row).getByRole('textbox', { name: /Answer of the author/u }), 'Yes, please');
    await user.type(within(row).getByRole('textbox', { name: /Credit line/u }), 'Video: @fog');
    const collaborator = within(row).getByRole('textbox', { name: /Collaborator on Instagram/u });
    await user.type(collaborator, 'two words');
    expect(within(row).getByRole('button', { name: 'Record as granted' })).toBeDisabled();
    await user.clear(collaborator);
    await user.type(collaborator, '@Fog.Watcher');
    await user.click(within(row).getByRole('button', { name: 'Record as granted' }));
    expect(await screen.findByText('Answer recorded')).toBeVisible();
    const path = `/api/rights/permissions/${requested.id}`;
    expect(api.calls('POST', `${path}/answer`)[0]?.body).toEqual({
      granted: true,
      answer: 'Yes, please',
      credit: 'Video: @fog',
      collaborator: 'fog.watcher',
    });
    await user.upload(
      within(row).getByLabelText('Upload proof', { selector: 'input' }),
      new File(['x'], 'mail.png', { type: 'image/png' }),
    );
    await waitFor(() => expect(api.calls('PUT', `${path}/proof`)).toHaveLength(1));
  });

  it('permits until the end of the day in the time zone of the console', async () => {
    setPreferences({ timeZone: 'America/Los_Angeles' });
    const { api, user } = start([requested]);
    const row = await screen.findByRole('article', { name: ROW });
    await user.type(within(row).getByRole('textbox', { name: /Answer of the author/u }), 'Yes');
    fireEvent.change(within(row).getByLabelText('Valid until (optional)'), { target: { value: '2036-12-05' } });
    await user.click(within(row).getByRole('button', { name: 'Record as granted' }));
    expect(await screen.findByText('Answer recorded')).toBeVisible();
    expect(api.calls('POST', `/api/rights/permissions/${requested.id}/answer`)[0]?.body).toMatchObject({
      expiresAt: '2036-12-06T07:59:59.999Z',
    });
  });

  it('does not report that there are no cases when they could not be loaded, and turns their pages', async () => {
    const api = new FakeApi().on('GET /api/rights/permissions', page([])).fail('GET /api/rights/cases', 'The database is away');
    const { user } = renderScreen('/admin/rights?view=permissions');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    expect(screen.queryByText('No open cases.')).toBeNull();
    api.reply('GET /api/rights/cases', ({ query }) => ({
      body: ok({
        posts: [{ ...rightsCaseSample, title: `Case of page ${query['page'] ?? ''}` }],
        pagination: { currentPage: Number(query['page']), totalPages: 2, totalCount: 51, hasPrevPage: false, hasNextPage: true },
      }),
    }));
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('article', { name: 'Case of page 1' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    expect(await screen.findByRole('article', { name: 'Case of page 2' })).toBeVisible();
  });

  const proofAt = (url: string) => ({ bytes: 9, sha256: 'ab'.repeat(32), contentType: 'message/rfc822', url });

  it('offers a proof that is no picture as a download, with the one that it replaced', async () => {
    start([{ ...permissionSample, proof: proofAt('/api/media/compared/x'), earlierProofs: [proofAt('/api/media/compared/y')] }]);
    const row = await screen.findByRole('article', { name: ROW });
    expect(within(row).getByRole('link', { name: 'Download proof' })).toHaveAttribute('href', '/api/media/compared/x');
    expect(within(row).getByRole('link', { name: 'Earlier proof 1' })).toHaveAttribute('href', '/api/media/compared/y');
    expect(within(row).getByLabelText('Upload proof', { selector: 'input' })).toHaveAttribute('accept', expect.stringContaining('.eml'));
  });

  it('says what a refusal stops', async () => {
    const { api, user } = start([requested]);
    api.on('POST /api/rights/permissions/*/answer', ok({ ...requested, status: 'refused', held: { blocked: 0, flagged: 2, out: [] } }));
    const row = await screen.findByRole('article', { name: ROW });
    await user.type(within(row).getByRole('textbox', { name: /Answer of the author/u }), 'No');
    await user.click(within(row).getByRole('button', { name: /refused/u }));
    expect(await screen.findByText('Answer recorded; 2 posts stopped, removal of 0 published posts proposed')).toBeVisible();
  });

  it('revokes a permission with a reason, and lists the posts whose removal is proposed', async () => {
    const { api, user } = start([permissionSample], [{ ...rightsCaseSample, reason: 'permission_revoked', noticeId: null }]);
    const row = await screen.findByRole('article', { name: ROW });
    expect(within(row).getByRole('link', { name: 'Open proof' })).toHaveAttribute('href', permissionSample.proof?.url);
    expect(within(row).getByText(/Video: @fog_watcher · only as a collaboration with @fog\.watcher · admin@example\.com/u)).toBeVisible();
    await user.type(within(row).getByRole('textbox', { name: 'Why the permission ends' }), 'Asked by mail');
    await user.click(within(row).getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('Permission revoked; 1 post stopped, removal of 0 published posts proposed')).toBeVisible();
    expect(api.calls('POST', `/api/rights/permissions/${permissionSample.id}/revoke`)[0]?.body).toEqual({ reason: 'Asked by mail' });
    expect(screen.getByRole('article', { name: rightsCaseSample.title })).toHaveTextContent('To remove');
  });
});
