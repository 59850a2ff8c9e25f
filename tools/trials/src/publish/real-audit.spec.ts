import { auditReal, type RealAttempt, type RealPost, type RealRecords } from './real-audit';

const post: RealPost = {
  ...{ itemId: 'i', state: 'posted', queueItemId: 'q', status: 'posted', isQuestion: false },
};
const attempt: RealAttempt = { itemId: 'i', state: 'published', caption: 'Post 1', mediaId: '1', containerId: '9', calls: 1 };
const media = (mediaId: string, caption = 'Post 1') => ({
  mediaId,
  caption,
  containerId: '9',
  accountId: '42',
  mediaProductType: 'FEED',
  options: {},
  comments: [],
});
const verdictOn = (change: Partial<RealRecords>) =>
  auditReal(
    { posts: [post], attempts: [attempt], published: [media('1')], callsOf: { 9: 1 }, ...change },
    new Map([['i', { caption: 'Post 1', userId: '42' }]]),
  );

describe('auditReal', () => {
  it('accepts a post that is once on the account and recorded', () =>
    expect(verdictOn({})).toEqual({ publishedTwice: 0, lost: 0, unnoticed: 0, inLimbo: 0, unrecorded: 0, failures: [] }));

  it('finds a publish call that was not recorded', () =>
    expect(verdictOn({ callsOf: { 9: 2 } })).toMatchObject({
      unrecorded: 1,
      failures: ['Post 1 was called 2 times and 1 calls are recorded'],
    }));

  it('tells posts apart whose captions begin alike', () =>
    expect(verdictOn({ published: [media('1'), media('2', 'Post 10')] })).toMatchObject({
      publishedTwice: 0,
      failures: [expect.stringContaining('no post of the trial')],
    }));

  it('finds a post that is twice on the account, also in another container', () =>
    expect(verdictOn({ published: [media('1'), { ...media('2'), containerId: '10' }] })).toMatchObject({ publishedTwice: 1 }));

  it('finds a post on another account', () =>
    expect(verdictOn({ published: [{ ...media('1'), accountId: '43' }] }).failures).toEqual(['Post 1 is on the account 43 instead of 42']));

  it('finds a post that is recorded as published and is not on the account', () =>
    expect(verdictOn({ published: [] })).toMatchObject({ lost: 1 }));

  it('finds a post on the account that is recorded as failed', () =>
    expect(verdictOn({ posts: [{ ...post, state: 'ready', status: 'failed' }] })).toMatchObject({ lost: 1, unnoticed: 1 }));

  it('finds a post whose item is gone', () => expect(verdictOn({ posts: [] })).toMatchObject({ lost: 1 }));

  it.each(['open', 'container', 'intent', 'unknown'])('finds an attempt that is left in %s', (state) =>
    expect(verdictOn({ attempts: [{ ...attempt, state }] })).toMatchObject({ inLimbo: 1 }),
  );

  it.each(['queued', 'posting'])('finds a post that is left in %s', (state) =>
    expect(verdictOn({ posts: [{ ...post, state }], published: [] })).toMatchObject({ inLimbo: 1 }),
  );

  it.each([null, '2'])('finds a post that is recorded with media %s', (mediaId) =>
    expect(verdictOn({ attempts: [{ ...attempt, mediaId }] }).failures).toEqual([expect.stringContaining('is recorded with media')]),
  );
});
