import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { PROOF_BYTES, type PermissionView } from '@autoposter/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ExpireClaimsTask } from '../scheduler/tasks/expire-claims.task';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const VIDEO = Buffer.from(`0000001866747970${'6d703432'.repeat(4)}`, 'hex');

/** The body as it came, whatever its type. */
const binary = (response: unknown, done: (error: Error | null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  const stream = response as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
};

describeGateway('permissions', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
    await gateway.call('post', '/api/subreddits', { name: 'guarded', needsPermission: true }).expect(200);
  });
  afterAll(() => gateway?.stop());

  const ask = async (body: object): Promise<PermissionView> =>
    (await gateway.call('post', '/api/rights/permissions', { grantor: 'Ada', ...body }).expect(200)).body.data;
  const answer = (id: string, body: object) => gateway.call('post', `/api/rights/permissions/${id}/answer`, { answer: 'Yes', ...body });
  const queue = (id: string) => gateway.call('post', `/api/instagram-queue/${id}`, {});
  const now = (id: string) => gateway.database.read.items.find(id);

  it('are drafted for a person to send, and refused for what names nothing', async () => {
    const drafted = await ask({ kind: 'author', named: 'u/Draft_Author', contact: 'ada@example.com' });
    expect(drafted).toMatchObject({ status: 'requested', key: 'reddit:draft_author', contact: 'ada@example.com', proof: null });
    expect(drafted.request).toContain('posts of yours (draft_author)');
    const refused = await gateway.call('post', '/api/rights/permissions', { grantor: 'Ada', kind: 'author', named: 'two words' });
    expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('u/name or @name')]);
  });

  it('let posts of a subreddit that requires them into the queue, with the credit that the author wants', async () => {
    const item = await gateway.item('ready', { subreddit: 'Guarded', author: 'first_author' });
    const waiting = await queue(item.id);
    expect([waiting.status, waiting.body.error]).toEqual([422, expect.stringContaining('requires the permission of the author')]);
    const free = await gateway.item('ready', { author: 'first_author' });
    await queue(free.id).expect(200);

    const { id } = await ask({ kind: 'author', named: 'u/first_author' });
    await answer(id, { granted: false, answer: 'No' }).expect(200);
    expect((await queue(item.id)).status).toBe(422);
    await answer(id, { granted: true, credit: 'Video: @first_author' }).expect(200);
    const queued = await queue(item.id).expect(200);
    expect((await gateway.database.read.queue.find(queued.body.data._id))?.caption).toContain('Video: @first_author');
  });

  it('for a collaboration make the author a collaborator of each post, which no change of its options undoes', async () => {
    const waiting = await gateway.item('ready', { author: 'duo_author' });
    const early = (await queue(waiting.id).expect(200)).body.data._id as string;
    const { id } = await ask({ kind: 'author', named: 'u/duo_author' });
    const collaborator = 'Duo.Author';
    const { body } = await answer(id, { granted: true, collaborator }).expect(200);
    expect(body.data).toMatchObject({ status: 'granted', collaborator: 'duo.author' });
    expect((await answer(id, { granted: true, collaborator: '@two words' })).status).toBe(422);

    const item = await gateway.item('ready', { author: 'duo_author' });
    const queued = await gateway.call('post', `/api/instagram-queue/${item.id}`, { options: { collaborators: ['bob'] } }).expect(200);
    expect(queued.body.data.options).toEqual({ collaborators: ['bob', 'duo.author'] });
    const change = (queueId: string, options: object) => gateway.call('put', `/api/instagram-queue/${queueId}/options`, options);
    const changed = await change(early, { locationId: '123456' }).expect(200);
    expect(changed.body.data.options).toEqual({ locationId: '123456', collaborators: ['duo.author'] });
    const story = await change(early, { story: true });
    expect([story.status, story.body.error]).toEqual([422, expect.stringContaining('@duo.author only: a story cannot have it.')]);
    await answer(id, { granted: true }).expect(200);
    expect((await change(early, {}).expect(200)).body.data.options).toEqual({});
  });

  it('release posts that waited for them', async () => {
    const missing = {
      needsReview: true,
      reviewReasons: [{ code: 'permission_missing' as const }, { code: 'permission_revoked' as const, fields: { grantor: 'Ada' } }],
    };
    const full = { subreddit: 'guarded', author: 'late_author', autoProcessStage: 'queuePost' as const };
    const automatic = await gateway.item('ready', { ...full, ...missing });
    const byHand = await gateway.item('ready', { ...full, autoProcessStage: 'processedContent', ...missing });
    const { id } = await ask({ kind: 'author', named: 'u/late_author' });
    await answer(id, { granted: true }).expect(200);
    expect(await now(automatic.id)).toMatchObject({ state: 'queued', needsReview: false, reviewReasons: [] });
    expect(await now(byHand.id)).toMatchObject({ state: 'ready', needsReview: false, reviewReasons: [] });
  });

  it('keep a picture of the answer as proof, for administrators alone', async () => {
    const { id } = await ask({ kind: 'subreddit', named: 'r/proofs' });
    const upload = (bytes: Buffer) =>
      gateway.call('put', `/api/rights/permissions/${id}/proof`).set('Content-Type', 'application/octet-stream').send(bytes);
    const refused = await upload(VIDEO);
    const named = 'a picture (JPEG, PNG, WebP, GIF, AVIF), a PDF, a mail (EML) or plain text (UTF-8)';
    expect([refused.status, refused.body.error]).toEqual([415, `Please choose ${named}.`]);
    const { proof } = (await upload(PICTURE).expect(200)).body.data as PermissionView;
    expect(proof).toMatchObject({ bytes: PICTURE.length, contentType: 'image/png' });
    expect((await gateway.visitor.get(proof?.url ?? '').expect(200)).body).toEqual(PICTURE);
    await gateway.visitor.get(`/api/media/compared/${id}`).expect(401);
    const [stored] = await gateway.database.read.answers.compared([{ id, file: 0 }]);
    expect(await gateway.database.unitOfWork((uow) => uow.media.markForDeletion([stored?.objectKey ?? '']))).toEqual([]);
  });

  it('keep a proof that is replaced', async () => {
    const { id } = await ask({ kind: 'subreddit', named: 'r/replaced_proofs' });
    const upload = async (bytes: Buffer): Promise<PermissionView> =>
      (await gateway.call('put', `/api/rights/permissions/${id}/proof`).set('Content-Type', 'image/png').send(bytes).expect(200)).body.data;
    const others = [1, 2].map((digit) => Buffer.concat([PICTURE, Buffer.from([digit])]));
    for (const bytes of [PICTURE, ...others, others[1] ?? PICTURE]) await upload(bytes);
    const { proof, earlierProofs } = await upload(others[1] ?? PICTURE);
    expect([proof, ...earlierProofs].map((one) => one?.bytes)).toEqual([others[1]?.length, others[0]?.length, PICTURE.length]);
    expect((await gateway.visitor.get(earlierProofs[1]?.url ?? '').expect(200)).body).toEqual(PICTURE);
    const files = await gateway.database.read.answers.compared([0, 1, 2].map((file) => ({ id, file })));
    const keys = files.map(({ objectKey }) => objectKey ?? '');
    expect(new Set(keys).size).toBe(3);
    expect(await gateway.database.unitOfWork((uow) => uow.media.markForDeletion(keys))).toEqual([]);
  });

  it.each([
    ['PDF', 'application/pdf', 'pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(9_000)])],
    [
      'mail',
      'message/rfc822',
      'eml',
      Buffer.from('Received: by x\r\n\tid 1\r\nFrom: Ada <ada@example.com>\r\nSubject: Yes\r\n\r\nSch\xf6n!', 'latin1'),
    ],
    ['text', 'text/plain', 'txt', Buffer.from(`Ada: yes, with credit 😀\n${'ä'.repeat(40_000)}`)],
    ['page of markup, as text', 'text/plain', 'txt', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ])('keep a %s of the answer, which is only ever downloaded', async (_what, contentType, extension, bytes) => {
    const { id } = await ask({ kind: 'author', named: `u/document_${extension}` });
    const path = `/api/rights/permissions/${id}/proof`;
    const sent = await gateway.call('put', path).set('Content-Type', 'text/html').send(bytes).expect(200);
    const { proof } = sent.body.data as PermissionView;
    expect(proof).toMatchObject({ bytes: bytes.length, contentType });
    for (const range of ['', 'bytes=0-9']) {
      const read = await gateway.visitor
        .get(proof?.url ?? '')
        .set('Range', range)
        .buffer(true)
        .parse(binary);
      expect((read.body as Buffer).equals(range === '' ? bytes : bytes.subarray(0, 10))).toBe(true);
      expect(read.headers).toMatchObject({
        'content-type': expect.stringContaining(contentType),
        'content-disposition': expect.stringMatching(new RegExp(`^attachment; filename="[0-9a-f]{64}\\.${extension}"$`, 'u')),
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it.each([
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0'.padEnd(300), 'latin1')],
    ['an archive', Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(400)])],
    ['text in another set than UTF-8', Buffer.from('Sch\xf6n!', 'latin1')],
    ['text that is cut within a character', Buffer.from('Schön 😀').subarray(0, -1)],
    ['text with a control character far behind its head', Buffer.from(`${'yes\n'.repeat(90_000)}\0`)],
    ['a HEIC picture', Buffer.from('\0\0\0\x18ftypheic'.padEnd(80), 'latin1')],
  ])('do not keep %s as proof', async (_what, bytes) => {
    const { id } = await ask({ kind: 'author', named: 'u/odd_document' });
    const path = `/api/rights/permissions/${id}/proof`;
    expect((await gateway.call('put', path).set('Content-Type', 'application/pdf').send(bytes)).status).toBe(415);
    const { posts } = (await gateway.call('get', '/api/rights/permissions')).body.data as { posts: PermissionView[] };
    expect(posts.find((one) => one.id === id)?.proof).toBeNull();
  });

  it('keep the words of an answer that is corrected in the audit log', async () => {
    const { id } = await ask({ kind: 'author', named: 'u/corrects' });
    await answer(id, { granted: true, answer: 'Yes, for good' }).expect(200);
    await answer(id, { granted: true, answer: 'Only until May', credit: 'Corrects' }).expect(200);
    const [last, first] = (await gateway.call('get', `/api/audit-log?subject=${id}`)).body.data.posts;
    expect(first.detail).toMatchObject({ answer: 'Yes, for good', former: null });
    expect(last.detail).toMatchObject({
      answer: 'Only until May',
      credit: 'Corrects',
      former: { answer: 'Yes, for good', status: 'granted' },
    });
  });

  it('refuse a proof of more than 16 MB', async () => {
    const { id } = await ask({ kind: 'author', named: 'u/long_document' });
    const bytes = Buffer.alloc(PROOF_BYTES + 1, 'yes\n');
    const refused = await gateway.call('put', `/api/rights/permissions/${id}/proof`).set('Content-Type', 'text/plain').send(bytes);
    expect([refused.status, refused.body.error]).toEqual([413, 'The file must have at most 16 MB.']);
  });

  it('refuse a proof whose stated length is too large before its bytes arrive', async () => {
    const { id } = await ask({ kind: 'subreddit', named: 'r/stated_lengths' });
    const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'image/png', 'content-length': String(PROOF_BYTES + 1) };
    const sent = request(`${gateway.address}/api/rights/permissions/${id}/proof`, { method: 'PUT', headers });
    const refused = new Promise((resolve, reject) => sent.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject));
    sent.write(PICTURE);
    expect(await refused).toBe(413);
    sent.destroy();
  });

  it('refuse it without holding up the next request on the connection', async () => {
    const { id } = await ask({ kind: 'author', named: 'u/longer_document' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const put = gateway.call('put', `/api/rights/permissions/${id}/proof`).agent(agent).set('Content-Type', 'text/plain');
    expect((await put.send(Buffer.alloc(PROOF_BYTES + 1024 * 1024, 'yes\n'))).status).toBe(413);
    const next = await gateway.call('get', '/api/rights/permissions').agent(agent).timeout(20_000);
    agent.destroy();
    expect(next.status).toBe(200);
  });

  it('end with their time, also for posts that wait in the queue', async () => {
    const item = await gateway.item('ready', { subreddit: 'guarded', author: 'short_author' });
    const { id } = await ask({ kind: 'author', named: 'u/short_author' });
    expect((await answer(id, { granted: true, expiresAt: '2020-01-01T00:00:00.000Z' })).status).toBe(422);
    await answer(id, { granted: true, expiresAt: '2999-01-01T00:00:00.000Z' }).expect(200);
    await queue(item.id).expect(200);
    await gateway.database.sql.query(`UPDATE rights_permissions SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    const { posts } = (await gateway.call('get', '/api/rights/permissions')).body.data as { posts: PermissionView[] };
    expect(posts.find((one) => one.id === id)?.status).toBe('expired');
    const published = await gateway.call('post', `/api/instagram-queue/${item.id}`, { postImmediately: true });
    expect([published.status, published.body.error]).toEqual([
      422,
      'The permission of Ada has ended; ask for a new one on the Rights screen.',
    ]);
  });

  it('are announced once in the week before they end', async () => {
    const ending = (from: string, until: string) => gateway.database.read.permissions.endingBetween(new Date(from), new Date(until), 7);
    const { id } = await ask({ kind: 'author', named: 'u/ending_author' });
    await answer(id, { granted: true, expiresAt: '2998-03-10T12:00:00.000Z' }).expect(200);
    expect(await ending('2998-03-03T11:00:00Z', '2998-03-03T11:59:00Z')).toBe(0);
    expect(await ending('2998-03-03T11:59:00Z', '2998-03-03T12:00:00Z')).toBe(1);
    expect(await ending('2998-03-03T12:00:00Z', '2998-03-11T12:00:00Z')).toBe(0);
  });

  it('are revoked: unpublished posts wait, and the removal of published ones is proposed', async () => {
    const author = { subreddit: 'guarded', author: 'gone_author' };
    const [queued, posted] = [await gateway.item('ready', author), await gateway.item('posted', author)];
    const covered = await gateway.item('ready', { ...author, sourceId: 'covered1' });
    const { id } = await ask({ kind: 'author', named: 'u/gone_author' });
    await answer(id, { granted: true }).expect(200);
    await answer((await ask({ kind: 'url', named: 'https://redd.it/covered1' })).id, { granted: true }).expect(200);
    await queue(queued.id).expect(200);
    await queue(covered.id).expect(200);

    const revoked = await gateway.call('post', `/api/rights/permissions/${id}/revoke`, { reason: 'Asked by mail' }).expect(200);
    expect(revoked.body.data).toMatchObject({ status: 'revoked', revokeReason: 'Asked by mail' });
    expect(revoked.body.data.held).toMatchObject({ blocked: 0, flagged: 1, out: [{ id: posted.id }] });
    expect(await now(queued.id)).toMatchObject({
      state: 'ready',
      needsReview: true,
      reviewReasons: [{ code: 'permission_revoked', fields: { grantor: 'Ada' } }],
    });
    expect((await now(covered.id))?.state).toBe('queued');
    const { posts } = (await gateway.call('get', '/api/rights/cases?state=open')).body.data;
    expect(posts).toEqual([expect.objectContaining({ itemId: posted.id, reason: 'permission_revoked', dueAt: expect.any(String) })]);
    const { body } = await gateway.call('get', `/api/audit-log?subject=${id}`);
    expect(body.data.posts.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining(['permission.request', 'permission.granted', 'permission.revoked']),
    );
  });

  it('that are refused stop every later post of the author, whatever the subreddit permits', async () => {
    const author = { author: 'no_author', autoProcessStage: 'queuePost' as const };
    const [waiting, posted] = [await gateway.item('queued', author), await gateway.item('posted', author)];
    await answer((await ask({ kind: 'subreddit', named: 'r/open_place' })).id, { granted: true }).expect(200);
    const { id } = await ask({ kind: 'author', named: 'u/no_author' });
    const refused = await answer(id, { granted: false, answer: 'No' }).expect(200);
    expect(refused.body.data.held).toMatchObject({ flagged: 1, out: [{ id: posted.id }] });
    const reason = { code: 'permission_refused', fields: { grantor: 'Ada' } };
    expect(await now(waiting.id)).toMatchObject({ state: 'ready', needsReview: true, reviewReasons: [reason] });
    const { posts } = (await gateway.call('get', '/api/rights/cases?state=open')).body.data;
    expect(posts).toContainEqual(expect.objectContaining({ itemId: posted.id, reason: 'permission_refused' }));

    const later = await gateway.item('ready', { ...author, subreddit: 'open_place' });
    const stopped = await queue(later.id);
    expect([stopped.status, stopped.body.error]).toEqual([422, 'Ada refused the permission.']);
    await answer((await ask({ kind: 'subreddit', named: 'r/open_place' })).id, { granted: true }).expect(200);
    expect((await now(waiting.id))?.needsReview).toBe(true);
    await answer((await ask({ kind: 'url', named: `https://redd.it/${later.sourceId ?? ''}` })).id, { granted: true }).expect(200);
    await queue(later.id).expect(200);
    await answer(id, { granted: true }).expect(200);
    expect(await now(waiting.id)).toMatchObject({ state: 'queued', needsReview: false, reviewReasons: [] });
  });

  it('that are revoked stop posts that a subreddit covers, and those that are collected later', async () => {
    const author = { author: 'left_author', subreddit: 'covering' };
    const ready = await gateway.item('ready', author);
    await answer((await ask({ kind: 'subreddit', named: 'r/covering' })).id, { granted: true }).expect(200);
    const older = await ask({ kind: 'author', named: 'u/left_author' });
    await answer(older.id, { granted: true }).expect(200);
    await answer((await ask({ kind: 'author', named: 'u/left_author' })).id, { granted: true }).expect(200);
    const revoked = await gateway.call('post', `/api/rights/permissions/${older.id}/revoke`, { reason: 'Asked' }).expect(200);
    expect(revoked.body.data.held).toMatchObject({ flagged: 1 });
    for (const item of [ready, await gateway.item('ready', { ...author, subreddit: 'elsewhere' })])
      expect((await queue(item.id)).body.error).toContain('The permission of Ada was revoked.');
    await answer((await ask({ kind: 'author', named: 'u/left_author' })).id, { granted: true }).expect(200);
    await queue(ready.id).expect(200);
  });

  describe('whose time is over', () => {
    const expire = (id: string) =>
      gateway.database.sql.query(`UPDATE rights_permissions SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    const run = () => gateway.app.get(ExpireClaimsTask).run();
    const casesOf = async (itemId: string) =>
      (await gateway.database.read.cases.page(null, 0, 100)).cases.filter((one) => one.itemId === itemId);
    const grant = async (named: string, terms: object = {}) => {
      const { id } = await ask({ kind: 'author', named });
      await answer(id, { granted: true, expiresAt: '2999-01-01T00:00:00.000Z', ...terms }).expect(200);
      return id;
    };
    const ENDED = { code: 'permission_expired', fields: { grantor: 'Ada' } };

    it('stop posts also where none is required, and keep their credit and collaborator', async () => {
      const item = await gateway.item('ready', { author: 'brief_author' });
      await expire(await grant('u/brief_author', { credit: 'By Brief', collaborator: 'brief.author' }));
      expect(await gateway.database.read.permissions.stateOf(item, null)).toEqual({
        refusal: ENDED,
        credit: 'By Brief',
        collaborator: 'brief.author',
        granted: null,
      });
      const refused = await queue(item.id);
      expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('The permission of Ada has ended')]);
    });

    it('take posts out of the queue and propose the removal of published ones, once', async () => {
      const author = { author: 'ended_author' };
      const [waiting, posted] = [await gateway.item('queued', author), await gateway.item('posted', author)];
      const id = await grant('u/ended_author');
      await run();
      expect((await now(waiting.id))?.state).toBe('queued');
      await expire(id);
      await run();
      expect(await now(waiting.id)).toMatchObject({ state: 'ready', needsReview: true, reviewReasons: [ENDED] });
      const [opened, ...others] = await casesOf(posted.id);
      expect([opened, others]).toEqual([
        expect.objectContaining({ reason: 'permission_expired', state: 'open', dueAt: expect.any(Date) }),
        [],
      ]);
      await gateway.call('post', `/api/rights/cases/${opened?.id ?? ''}`, { action: 'dismissed', note: 'Agreed by mail' }).expect(200);
      await run();
      expect(await casesOf(posted.id)).toHaveLength(1);
      const { posts } = (await gateway.call('get', `/api/audit-log?action=permission.expired&subject=${id}`)).body.data;
      expect(posts).toMatchObject([{ actor: 'system', detail: { key: 'reddit:ended_author', flagged: 1, out: [{ id: posted.id }] } }]);
    });

    it('that are renewed release the posts and dismiss the cases, until they end again', async () => {
      const author = { author: 'renewed_author', autoProcessStage: 'queuePost' as const };
      const [waiting, posted] = [await gateway.item('queued', author), await gateway.item('posted', author)];
      const id = await grant('u/renewed_author');
      await expire(id);
      await run();
      await answer(id, { granted: true, answer: 'One more year', expiresAt: '2999-01-01T00:00:00.000Z' }).expect(200);
      expect(await now(waiting.id)).toMatchObject({ state: 'queued', needsReview: false, reviewReasons: [] });
      expect(await casesOf(posted.id)).toMatchObject([{ state: 'dismissed', closedBy: 'admin@example.com' }]);
      await expire(id);
      await run();
      expect((await casesOf(posted.id)).map(({ state }) => state).sort()).toEqual(['dismissed', 'open']);
    });

    it('yield to a permission in force that was given later, also one for all posts of the author', async () => {
      const item = await gateway.item('posted', { author: 'wider_author' });
      const about = await ask({ kind: 'url', named: `https://redd.it/${item.sourceId ?? ''}` });
      await answer(about.id, { granted: true, expiresAt: '2999-01-01T00:00:00.000Z' }).expect(200);
      const wider = await grant('u/wider_author', { credit: 'By Wider' });
      await expire(about.id);
      await run();
      expect([await gateway.database.read.permissions.stateOf(item, null), await casesOf(item.id)]).toEqual([
        { refusal: null, credit: 'By Wider', collaborator: null, granted: { id: wider, proofSha256: null } },
        [],
      ]);
    });

    it('do not hide that the source of a published post was removed', async () => {
      const posted = await gateway.item('posted', { author: 'removed_author' });
      const id = await grant('u/removed_author');
      await expire(id);
      await run();
      const removed = { id: uuidv7(), reason: 'source_removed' as const, itemId: posted.id, itemState: 'posted', state: 'open' as const };
      await gateway.database.unitOfWork((uow) => uow.cases.open(removed));
      await answer(id, { granted: true }).expect(200);
      expect(await casesOf(posted.id)).toMatchObject([{ state: 'open', reason: 'source_removed' }]);
    });
  });
});
