import { failureOf, PipelineError } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { FakeDatabase } from '@autoposter/testkit';
import { removePosts } from './remove-posts';

const CASE = {
  ...{ id: 'case-1', itemId: 'item-1', mediaId: '1789', publishedOn: '178' },
  ...{ permalink: 'https://www.instagram.com/reel/C1/', claimTitle: 'Dusk' },
};

describe('removePosts', () => {
  const run = async (remove: (() => Promise<'removed' | 'not_offered'>) | null, found: object = CASE, failed = new Set<string>()) => {
    const fake = new FakeDatabase({
      'cases.removable': (except: string[]) => (except.includes(CASE.id) ? [] : [found]),
      'cases.move': true,
      'cases.removeOthers': ['case-2'],
      'accounts.findByUser': (userId: string) => (userId === '178' ? { username: 'first' } : null),
      'workerReports.find': { report: { username: 'environment' }, reportedAt: new Date() },
    });
    const tools = { publisherOf: () => Promise.resolve(remove && { remove }), database: fake.database, logger: silentLogger, failed };
    const removed = await removePosts(tools);
    return { fake, removed };
  };

  it('closes the case of a post that the platform no longer shows, and records it', async () => {
    const remove = jest.fn(() => Promise.resolve('removed' as const));
    const { fake, removed } = await run(remove);
    expect([removed, remove.mock.calls]).toEqual([1, [['1789']]]);
    expect(fake.argsOf('cases.move')).toEqual([
      ['case-1', ['removing', 'open', 'dismissed'], 'removed', 'instagram-poster', { note: null, failure: null }],
    ]);
    expect(fake.argsOf('provenance.append')).toMatchObject([['item-1', 'removed', { mediaId: '1789' }]]);
    // the other cases of the post end with it
    expect(fake.argsOf('cases.removeOthers')).toEqual([['item-1', 'instagram-poster']]);
    expect(fake.auditActions).toEqual(['rights.case.removed', 'rights.case.removed']);
  });

  it('gives the case back to a person where the login cannot remove posts', async () => {
    const { fake, removed } = await run(() => Promise.resolve('not_offered'));
    expect(removed).toBe(0);
    const failure = failureOf('removals_not_offered', { fields: { account: '@first' } });
    expect(fake.argsOf('cases.move')).toEqual([['case-1', ['removing'], 'open', 'instagram-poster', { note: null, failure }]]);
    expect(fake.argsOf('provenance.append')).toEqual([]);
  });

  it('names the account of the environment by its check', async () => {
    const { fake } = await run(() => Promise.resolve('not_offered'), { ...CASE, publishedOn: '177' });
    const failure = failureOf('removals_not_offered', { fields: { account: '@environment' } });
    expect(fake.argsOf('cases.move')).toEqual([['case-1', ['removing'], 'open', 'instagram-poster', { note: null, failure }]]);
  });

  it.each([
    ['178', '@first'],
    ['179', '179'],
  ])('gives the case back with another reason where the account %s is not connected', async (publishedOn, account) => {
    const { fake, removed } = await run(null, { ...CASE, publishedOn });
    expect(removed).toBe(0);
    const failure = failureOf('post_of_disconnected_account', { fields: { account } });
    expect(fake.argsOf('cases.move')).toEqual([['case-1', ['removing'], 'open', 'instagram-poster', { note: null, failure }]]);
  });

  it('leaves the case in work when the platform fails, and says why', async () => {
    const { fake, removed } = await run(() => Promise.reject(new PipelineError(failureOf('instagram_unreachable'))));
    expect([removed, fake.argsOf('cases.move')]).toEqual([0, []]);
    expect(fake.argsOf('cases.noteFailure')).toEqual([['case-1', failureOf('instagram_unreachable')]]);
  });

  it('skips a removal that failed until failed removals are tried again', async () => {
    const remove = jest.fn(() => Promise.reject(new PipelineError(failureOf('instagram_unreachable'))));
    const failed = new Set<string>();
    await run(remove, CASE, failed);
    await run(remove, CASE, failed);
    expect(remove).toHaveBeenCalledTimes(1);
    failed.clear();
    await run(remove, CASE, failed);
    expect(remove).toHaveBeenCalledTimes(2);
  });
});
