import { PipelineError, REDDIT_NOT_CONFIGURED, type Failure } from '@autoposter/domain';
import { silentLogger } from '@autoposter/observability';
import { pollUntil, freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { RedditAccess, withAccessNoted, type RedditSource } from './reddit-access';
import { watchAccess } from './reddit-access';

const REJECTED: Failure = {
  code: 'reddit_token_rejected',
  kind: 'not_authorised',
  message: 'Reddit rejected the credentials.',
  side: 'operator',
  nextAction: 'Check them.',
};

describe('RedditAccess', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let access: RedditAccess;
  let asked: string[];
  let says: Failure | null;
  let stopping: AbortController;

  beforeAll(async () => {
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    access = new RedditAccess(fresh.database, 'downloader@test');
    asked = [];
    says = null;
    stopping = new AbortController();
  });
  afterEach(async () => {
    stopping.abort();
    await fresh.drop();
  });

  const answer = <T>(call: string, value: T): Promise<T> => {
    asked.push(call);
    return says === null ? Promise.resolve(value) : Promise.reject(new PipelineError(says));
  };
  const reddit: RedditSource = {
    listTop: (name) => answer(`list ${name}`, []),
    resolve: (url) => answer(`resolve ${url}`, { post: {} as never, topComments: [] }),
    removedAmong: () => answer('check', new Set<string>()),
  };
  const watch = (source: RedditSource | null = reddit) =>
    watchAccess({
      reddit: source,
      access,
      database: fresh.database,
      owner: 'downloader@test',
      logger: silentLogger,
      signal: stopping.signal,
      checkSeconds: 0.05,
    });

  it('sends no automatic request after Reddit rejected the credentials, but still those of a person', async () => {
    const noted = withAccessNoted(reddit, access);
    says = REJECTED;
    await expect(noted.listTop('aww', 'day', 5)).rejects.toMatchObject({ failure: { kind: 'not_authorised' } });
    await expect(noted.listTop('aww', 'day', 5)).rejects.toMatchObject({ failure: { message: REJECTED.message } });
    expect(asked).toEqual(['list aww']);
    says = null;
    await noted.resolve('https://redd.it/1abc', true);
    expect(await access.denied()).toBeNull();
    await noted.listTop('aww', 'day', 5);
    expect(asked).toEqual(['list aww', 'resolve https://redd.it/1abc', 'list aww']);
  });

  it('does not take the refusal of one subreddit for a refusal of the installation', async () => {
    says = { ...REJECTED, kind: 'upstream_rejected', message: 'This subreddit is private.' };
    await expect(withAccessNoted(reddit, access).listTop('closed', 'day', 5)).rejects.toThrow();
    expect(await access.denied()).toBeNull();
  });

  it('notices without a restart that the credentials work again', async () => {
    says = REJECTED;
    watch();
    await pollUntil(async () => (await access.denied())?.kind === 'not_authorised');
    says = null;
    await pollUntil(async () => (await access.denied()) === null);
    const checks = asked.length;
    await access.note(null);
    expect(asked).toHaveLength(checks);
  });

  it('reports missing credentials', async () => {
    watch(null);
    await pollUntil(async () => (await access.denied())?.message === REDDIT_NOT_CONFIGURED.message);
    expect(asked).toEqual([]);
  });

  it('keeps the last known state while Reddit cannot be reached', async () => {
    await access.note(REJECTED);
    says = { ...REJECTED, kind: 'transient', message: 'Reddit could not be reached.' };
    watch();
    await pollUntil(() => asked.length > 0);
    expect(await access.denied()).toMatchObject({ kind: 'not_authorised' });
  });
});
