import { contentItem, FakeDatabase, stageJob } from '@autoposter/testkit';
import type { ContentItem } from '@autoposter/persistence';
import { LinkSubmissionService } from './link-submission.service';
import { asReply } from '../testing/as-reply';

const ACTOR = 'admin@example.com';
const REDDIT = 'https://www.reddit.com/r/aww/comments/abc123/a_fox/';
const INSTAGRAM = 'https://www.instagram.com/some.body/reel/Cabc123/';

/** `known` is the item that the link already has; a new link creates one. */
function arrange(known: Partial<ContentItem> | null, stubs: Record<string, unknown> = {}) {
  const item = known && contentItem(known);
  const fake = new FakeDatabase({
    'jobs.createWith': (write: object, values: object) => (item && 'insert' in write ? null : stageJob(values)),
    'items.findBySource': item,
    'items.findForUpdate': item,
    ...stubs,
  });
  return { fake, service: new LinkSubmissionService(fake.database) };
}
/** The requests for an item that exists; the first attempt is always to insert one. */
const stagesOf = (fake: FakeDatabase) =>
  fake.argsOf('jobs.createWith').flatMap(([write, job]) => ('insert' in (write as object) ? [] : [(job as { stage: string }).stage]));

describe('LinkSubmissionService.submit', () => {
  it.each([
    ['a Reddit link', REDDIT, 'reddit', { sourceId: 'abc123', title: 'Reddit post abc123', subreddit: 'aww' }],
    ['an Instagram link', INSTAGRAM, 'instagram', { sourceId: 'Cabc123', title: 'Instagram post Cabc123', author: 'some.body' }],
    [
      'a share link, which names its post later',
      'https://www.reddit.com/r/aww/s/AbCdEf1234',
      'reddit',
      { sourceId: 'link:/r/aww/s/AbCdEf1234' },
    ],
  ] as const)('creates an item for %s and requests its download', async (_what, url, platform, values) => {
    const { fake, service } = arrange(null);
    const answer = await service.submit(url, platform, 'aiCaption', ACTOR);
    const [inserted] = fake.argsOf('items.insertionStatement')[0] as [ContentItem];
    expect(answer).toMatchObject({ id: inserted.id, _id: inserted.id, status: 'processing', known: false });
    expect(inserted).toMatchObject({ platform, autoProcessStage: 'aiCaption', state: 'downloading', ...values });
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({ stage: 'download', subjectId: inserted.id, forPerson: true });
  });

  it('does not fetch a known post again', async () => {
    const { fake, service } = arrange({ state: 'ready' });
    expect(await service.submit(REDDIT, null, 'dmcaProtection', ACTOR)).toMatchObject({ status: 'completed', known: true });
    expect(stagesOf(fake)).toEqual([]);
  });

  it.each(['deleted', 'discarded'] as const)('starts an item that is %s again', async (state) => {
    const { fake, service } = arrange({ state, retryCount: 3, needsReview: true });
    expect(await service.submit(REDDIT, null, 'dmcaProtection', ACTOR)).toMatchObject({ status: 'processing', known: false });
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ retryCount: 0, needsReview: false, processingErrors: [] });
    expect(stagesOf(fake)).toEqual(['download']);
  });

  it.each([
    ['deleted', 'processing'],
    ['posted', 'completed'],
  ] as const)('says of a post that is %s here that it is published on the account', async (state, status) => {
    const published = new Map([['item-1', { state: 'published', permalink: 'https://www.instagram.com/p/1/' }]]);
    const { fake, service } = arrange({ state }, { 'attempts.ofItems': published });
    const notice = 'This post was published already (https://www.instagram.com/p/1/).';
    expect(await service.submit(REDDIT, null, 'dmcaProtection', ACTOR)).toMatchObject({ status, notice });
    if (state !== 'deleted') return;
    const reviewReasons = [{ code: 'published_before', fields: { permalink: 'https://www.instagram.com/p/1/' } }];
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ needsReview: true, reviewReasons });
  });

  it('continues a waiting item that is now to be processed completely', async () => {
    const { fake, service } = arrange({ state: 'downloaded', autoProcessStage: 'dmcaProtection' });
    expect(await service.submit(REDDIT, null, 'queuePost', ACTOR)).toMatchObject({ known: true, status: 'processing' });
    expect([fake.argsOf('items.patch'), stagesOf(fake)]).toEqual([[['item-1', { autoProcessStage: 'queuePost' }]], ['dmca']]);
  });

  it('retries a failed Instagram post with the account of the new link', async () => {
    const known = {
      platform: 'instagram',
      state: 'failed',
      failedStage: 'download',
      originalUrl: 'https://www.instagram.com/p/Cabc123/',
    } as const;
    const { fake, service } = arrange(known);
    expect(await service.submit(INSTAGRAM, 'instagram', 'dmcaProtection', ACTOR)).toMatchObject({ known: false, status: 'processing' });
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ author: 'some.body' });
    expect(stagesOf(fake)).toEqual(['download']);
  });

  it('keeps the account of an Instagram post that was read before', async () => {
    const known = { platform: 'instagram', state: 'failed', failedStage: 'download', originalUrl: INSTAGRAM } as const;
    const { fake, service } = arrange(known);
    expect(await service.submit(INSTAGRAM, 'instagram', 'dmcaProtection', ACTOR)).toMatchObject({ known: true });
    expect([fake.argsOf('items.patch'), stagesOf(fake)]).toEqual([[], []]);
  });

  it.each([
    ['a link of another site', 'https://example.com/x', null, {}, 422, 'example.com'],
    ['a link of the other platform', REDDIT, 'instagram', {}, 422, 'This link is from Reddit, not from Instagram.'],
    ['a link to a subreddit', 'https://www.reddit.com/r/aww/', 'reddit', {}, 422, 'to a post'],
    [
      'a share link of Instagram, which only a browser can follow',
      'https://www.instagram.com/share/reel/BAbcdefg',
      'instagram',
      {},
      422,
      "Open the link in a browser and paste the post's own address",
    ],
    ['a post that a concurrent writer deleted', REDDIT, 'reddit', { 'jobs.createWith': null }, 409, 'This post is being changed right now'],
  ] as const)('refuses %s', async (_what, url, platform, stubs, status, message) => {
    const { fake, service } = arrange(null, stubs);
    await expect(asReply(service.submit(url, platform, 'dmcaProtection', ACTOR))).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message) as string,
    });
    expect(fake.events).toEqual([]);
  });

  it('refuses a post that a concurrent writer moved', async () => {
    const { service } = arrange({ state: 'deleted' }, { 'jobs.createWith': null });
    await expect(asReply(service.submit(REDDIT, 'reddit', 'dmcaProtection', ACTOR))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('changed at the same time') as string,
    });
  });
});
