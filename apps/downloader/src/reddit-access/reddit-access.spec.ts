import { type Failure, PipelineError, REDDIT_NOT_CONFIGURED } from '@autoposter/domain';
import { FakeDatabase, NOW } from '@autoposter/testkit';
import { checkAccess, RedditAccess, type RedditSource, withAccessNoted } from './reddit-access';

const REJECTED: Failure = {
  code: 'reddit_token_rejected',
  kind: 'not_authorised',
  message: 'Reddit rejected the credentials.',
  side: 'operator',
  nextAction: 'Check them.',
};
const REWORDED: Failure = { ...REJECTED, message: 'Reddit no longer accepts the credentials.' };
const as = (kind: Failure['kind'], side: Failure['side'] = 'reddit') => new PipelineError({ ...REJECTED, kind, side });

/** `report` is what the database says; `answer` what Reddit does. */
function arrange(denied: Failure | null | undefined, answer: () => Promise<never> = async () => new Set() as never) {
  const report = denied === undefined ? null : { report: { denied, since: 'then' }, reportedAt: NOW };
  const fake = new FakeDatabase({ 'workerReports.find': report });
  const access = new RedditAccess(fake.database, 'downloader@test');
  const calls: unknown[][] = [];
  const call =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return answer();
    };
  const reddit: RedditSource = { listTop: call('listTop'), resolve: call('resolve'), removedAmong: call('removedAmong') };
  return { access, reddit, calls, noted: withAccessNoted(reddit, access), saved: () => fake.argsOf('workerReports.save') };
}
const saying = (denied: Failure | null, since = NOW.toISOString()) => [['reddit.access', { denied, since }, 'downloader@test']];

describe('RedditAccess.note', () => {
  it.each([
    ['a first denial', undefined, REJECTED, saying(REJECTED)],
    ['the same denial, which keeps its start', REJECTED, REJECTED, saying(REJECTED, 'then')],
    ['the same denial in other words, which keeps its start', REJECTED, REWORDED, saying(REWORDED, 'then')],
    ['another denial', REJECTED, REDDIT_NOT_CONFIGURED, saying(REDDIT_NOT_CONFIGURED)],
    ['the end of a denial', REJECTED, null, saying(null)],
    ['a first answer', undefined, null, saying(null)],
    ['an answer after an answer', null, null, []],
  ])('stores %s', async (_what, before, now, expected) => {
    const { access, saved } = arrange(before);
    await access.note(now);
    expect(saved()).toEqual(expected);
  });
});

describe('withAccessNoted', () => {
  it('passes the arguments on', async () => {
    const { noted, calls } = arrange(undefined);
    await noted.listTop('aww', 'day', 5);
    await noted.resolve('https://redd.it/1abc', true);
    await noted.removedAmong(['1']);
    expect(calls).toEqual([
      ['listTop', 'aww', 'day', 5, false],
      ['resolve', 'https://redd.it/1abc', true],
      ['removedAmong', ['1']],
    ]);
  });

  it('sends no automatic request while access is denied', async () => {
    const { noted, calls } = arrange(REJECTED);
    for (const call of [noted.listTop('aww', 'day', 5), noted.resolve('x'), noted.removedAmong(['1'])])
      await expect(call).rejects.toMatchObject({ failure: REJECTED });
    expect(calls).toEqual([]);
  });

  it('sends requests of a person, whose answer ends the denial', async () => {
    const { noted, saved } = arrange(REJECTED);
    await noted.resolve('x', true);
    expect(saved()).toEqual(saying(null));
  });

  it.each([
    ['stores a refusal of the installation', as('not_authorised'), 1],
    ['stores no refusal of one subreddit', as('upstream_rejected'), 0],
    ['stores no outage', as('transient'), 0],
    ['stores no programming error', new TypeError('broken'), 0],
  ])('%s and passes it on', async (_what, error, stored) => {
    const { noted, saved } = arrange(undefined, () => Promise.reject(error));
    await expect(noted.listTop('aww', 'day', 5)).rejects.toBe(error);
    expect(saved()).toHaveLength(stored);
  });
});

describe('checkAccess', () => {
  const check = async (error: Error | null) => {
    const { access, reddit, saved } = arrange(REJECTED, error === null ? undefined : () => Promise.reject(error));
    await checkAccess(reddit, access);
    return saved();
  };

  it('reports missing credentials', async () => {
    const { access, saved } = arrange(undefined);
    await checkAccess(null, access);
    expect(saved()).toEqual(saying(REDDIT_NOT_CONFIGURED));
  });

  it.each([
    ['an answer', null, saying(null)],
    ['a refusal that concerns the request only', as('not_found'), saying(null)],
    ['a refusal of the installation', as('not_authorised'), saying(as('not_authorised').failure, 'then')],
  ])('stores the state after %s', async (_what, error, expected) => {
    expect(await check(error)).toEqual(expected);
  });

  it.each([
    ['an outage', as('transient')],
    ['a rate limit', as('rate_limited')],
    ['a programming error', new TypeError('broken')],
  ])('knows nothing after %s', async (_what, error) => {
    await expect(check(error)).rejects.toBe(error);
  });
});
