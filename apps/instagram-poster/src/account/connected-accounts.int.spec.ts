import { loadConfig } from '@autoposter/config';
import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting } from '@autoposter/domain';
import { openToken, type StoredToken } from '@autoposter/instagram';
import type { Systems } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { ConnectedAccount } from '@autoposter/persistence';
import { HttpServerFake, respond as json } from '@autoposter/resilience';
import { pollUntil, postgresKinds, useFreshDatabases, type FreshDatabase } from '@autoposter/testkit';
import { posterTools, ToolsByAccount } from '../poster.tools';
import { checkAccount, connectNext, watchConnectedAccounts } from './connected-accounts';

const USER = '17841400000000043';
const FIRST = '17841400000000042';
const GRANTED = 'instagram_business_basic,instagram_business_content_publish';

describe.each(postgresKinds())('connected accounts on %s PostgreSQL', (kind) => {
  let fresh: FreshDatabase;
  let graph: HttpServerFake;
  let permissions: string;
  let userId: string;
  useFreshDatabases(kind, (made) => {
    fresh = made;
  });
  beforeAll(async () => {
    graph = await new HttpServerFake().start();
  });
  afterAll(() => graph.stop());
  beforeEach(() => {
    graph.reset();
    [permissions, userId] = [GRANTED, USER];
    graph.handler = ({ path }, response) => {
      const answers: Record<string, object> = {
        '/oauth/access_token': { access_token: 'IGshort', permissions },
        '/access_token': { access_token: 'IGlong', expires_in: 5_184_000 },
        '/refresh_access_token': { access_token: 'IGrenewed', expires_in: 5_184_000 },
        '/v26.0/me': { id: '1', user_id: userId, username: 'second' },
        [`/v26.0/${userId}/content_publishing_limit`]: { data: [{ quota_usage: 2, config: { quota_total: 50, quota_duration: 86_400 } }] },
      };
      const answer = answers[path];
      json(response, answer ? 200 : 400, answer ?? { error: { message: 'no', code: 190, error_subcode: 463 } });
    };
  });

  const systems = () => {
    const { origin } = graph;
    const config = loadConfig('instagram-poster', {
      DATABASE_URL: 'postgres://localhost/none',
      SEALING_KEY: 's'.repeat(40),
      INSTAGRAM_ACCESS_TOKEN: 'IGfirst',
      INSTAGRAM_BUSINESS_ACCOUNT_ID: FIRST,
      INSTAGRAM_APP_ID: 'app',
      INSTAGRAM_APP_SECRET: 'secret',
      INSTAGRAM_API_VERSION: 'v26.0',
      INSTAGRAM_GRAPH_URL: origin,
      INSTAGRAM_TOKEN_URL: origin,
    });
    return { config, database: fresh.database, logger: silentLogger };
  };
  async function authorise(): Promise<void> {
    const key = { stateHash: String(Math.random()), browserHash: 'browser' };
    const redirectUri = 'http://127.0.0.1:3000/api/instagram-accounts/callback';
    await fresh.database.read.connections.start({ ...key, login: 'instagram', redirectUri, startedBy: 'admin@example.test' });
    await fresh.database.read.connections.answer(key, { code: 'AQB1' });
  }
  const connected = () => fresh.database.read.accounts.connected();
  const connection = () => fresh.database.read.connections.latestOf('admin@example.test');

  it('checks the account of the environment within seconds of each request', async () => {
    const { accounts } = fresh.database.read;
    await accounts.claimEnvironmentCheck();
    const over = new AbortController();
    const checkEnvironmentAccount = jest.fn(() => Promise.resolve());
    watchConnectedAccounts({ ...systems(), checkEnvironmentAccount, signal: over.signal });
    for (const times of [1, 2]) {
      await accounts.requestCheck(ENVIRONMENT_ACCOUNT_ID);
      await pollUntil(() => checkEnvironmentAccount.mock.calls.length === times);
    }
    over.abort();
    expect(await accounts.claimEnvironmentCheck()).toBe(false);
  });

  it('does not count an account as ready from the request of a check until its result', async () => {
    await authorise();
    await connectNext(systems());
    const { accounts } = fresh.database.read;
    const [ready] = await connected();
    expect(ready?.status).toBe('ready');
    await accounts.requestCheck(ready?.id ?? '');
    const [claimed] = await accounts.claimDueForCheck();
    if (claimed === undefined) throw new Error('no check is due');
    expect((await connected())[0]).toMatchObject({ status: 'unchecked', checkedAt: expect.any(Date) });
    await checkAccount(systems(), claimed);
    expect((await connected())[0]?.status).toBe('ready');
  });

  it('connects an account that a check of token, permissions and quota calls ready, with a sealed token', async () => {
    await authorise();
    expect(await connectNext(systems())).toBe(true);
    expect(await connectNext(systems())).toBe(false);
    const [account] = await connected();
    expect(account).toMatchObject({
      userId: USER,
      username: 'second',
      status: 'ready',
      quotaUsed: 2,
      quotaTotal: 50,
      scopes: GRANTED.split(','),
    });
    expect(JSON.stringify(account)).not.toContain('IGlong');
    expect(openToken(account?.token as StoredToken, USER, systems().config.keys.sealing)).toBe('IGlong');
    expect(await connection()).toMatchObject({ status: 'connected', usernames: ['@second'], code: null });
    const audit = await fresh.database.sql.query(`SELECT actor, action FROM audit_log`);
    expect(audit).toEqual([{ actor: 'admin@example.test', action: 'instagram_account.connect' }]);
  });

  it('connects nothing without the permission to publish, and says so', async () => {
    permissions = 'instagram_business_basic';
    await authorise();
    await connectNext(systems());
    expect([await connected(), (await connection())?.failure]).toMatchObject([[], { code: 'login_scopes_missing' }]);
  });

  it('does not connect the account of the environment a second time', async () => {
    userId = FIRST;
    await authorise();
    await connectNext(systems());
    expect([await connected(), (await connection())?.failure]).toMatchObject([[], { code: 'account_of_environment' }]);
  });

  it('gives an attempt the tools of its account, with the token of that account', async () => {
    await authorise();
    await connectNext(systems());
    const all = { ...systems(), objects: {} } as unknown as Systems;
    const first = posterTools(all);
    const accounts = new ToolsByAccount(all, first);
    expect(await accounts.of(FIRST)).toBe(first);
    expect(await accounts.of('another')).toBe(first);
    const second = await accounts.of(USER);
    expect([second.publisher?.accountId, second.api]).toEqual([USER, { flavour: 'instagram', version: 'v26.0' }]);
    expect(await accounts.of(USER)).toBe(second);
    graph.reset();
    await second.platform?.quota();
    expect(graph.seen[0]?.headers.authorization).toBe('Bearer IGlong');
    await second.account.stop({ cause: 'account', reason: 'Spam.', nextAction: 'Check.' });
    expect([await first.publishing.isPaused(), await second.publishing.isPaused()]).toEqual([false, true]);
  });

  it('names the tools of the other accounts while the token of one cannot be read', async () => {
    await authorise();
    await connectNext(systems());
    await fresh.database.sql.query(
      `UPDATE instagram_accounts SET token = jsonb_set(token, '{sealed}', '"damaged"') WHERE source = 'connected'`,
    );
    const all = { ...systems(), objects: {} } as unknown as Systems;
    const accounts = new ToolsByAccount(all, posterTools(all));
    expect((await accounts.usable()).map(({ platform }) => platform.accountId)).toEqual([FIRST]);
  });

  it('checks accounts when they are due, and names what is wrong with one', async () => {
    await authorise();
    await connectNext(systems());
    const { accounts } = fresh.database.read;
    expect(await accounts.claimDueForCheck()).toHaveLength(0);
    await fresh.database.sql.query(`UPDATE instagram_accounts SET checked_at = now() - interval '25 hours' WHERE source = 'connected'`);
    const [due] = await accounts.claimDueForCheck();
    userId = 'another';
    await checkAccount(systems(), due as ConnectedAccount);
    expect((await connected())[0]).toMatchObject({ status: 'refused', failure: { code: 'instagram_other_account' } });
  });

  const checkLater = async (answer: () => object) => {
    await authorise();
    await connectNext(systems());
    await fresh.database.sql.query(`UPDATE instagram_accounts SET checked_at = now() - interval '25 hours' WHERE source = 'connected'`);
    const [due] = await fresh.database.read.accounts.claimDueForCheck();
    graph.handler = (_seen, response) => json(response, 400, { error: { message: 'no', ...answer() } });
    await checkAccount(systems(), due as ConnectedAccount);
    return (await connected())[0] as ConnectedAccount;
  };

  it('keeps a ready account ready after a failure that passes, and checks it again in ten minutes', async () => {
    const account = await checkLater(() => ({ code: 2, is_transient: true }));
    expect(account).toMatchObject({ status: 'ready', failure: null });
    const { accounts } = fresh.database.read;
    expect(await accounts.claimDueForCheck()).toHaveLength(0);
    await fresh.database.sql.query(`UPDATE instagram_accounts SET checked_at = checked_at - interval '10 minutes 1 second'`);
    expect(await accounts.claimDueForCheck()).toHaveLength(1);
  });

  it('pauses publishing on an account whose token a check finds refused, and says how to reconnect it', async () => {
    const account = await checkLater(() => ({ code: 190, error_subcode: 460 }));
    const nextAction = 'Connect the account again under Settings.';
    expect(account).toMatchObject({ status: 'refused', failure: { code: 'instagram_password_changed', nextAction } });
    const stored = await fresh.database.read.settings.get(accountSetting('publishing', account.id));
    expect(stored).toMatchObject({ paused: true, cause: 'token', nextAction });
    expect(await fresh.database.read.accounts.claimDueForCheck()).toHaveLength(0);
  });

  it('announces no retry of a code, which is redeemed once', async () => {
    graph.handler = (_seen, response) => json(response, 500, {});
    await authorise();
    await connectNext(systems());
    expect((await connection())?.failure).toMatchObject({ code: 'instagram_not_the_api', nextAction: 'Try again in a moment.' });
  });

  it('refuses a connected account that has become the account of the environment', async () => {
    await authorise();
    await connectNext(systems());
    const { config, ...others } = systems();
    const instagram = { ...config.instagram, accountId: USER } as typeof config.instagram;
    await checkAccount({ ...others, config: { ...config, instagram } }, (await connected())[0] as ConnectedAccount);
    expect((await connected())[0]).toMatchObject({ status: 'refused', failure: { code: 'account_of_environment' } });
  });

  it('renews a token whose end is near and stores the new one sealed', async () => {
    await authorise();
    await connectNext(systems());
    const [account] = (await connected()) as [ConnectedAccount];
    const day = 86_400_000;
    const old = { ...(account.token as StoredToken), renewedAt: new Date(Date.now() - 40 * day).toISOString() };
    const token = { ...old, expiresAt: new Date(Date.now() + 20 * day).toISOString() };
    await checkAccount(systems(), { ...account, token });
    const [after] = await connected();
    expect(openToken(after?.token as StoredToken, USER, systems().config.keys.sealing)).toBe('IGrenewed');
    expect(after?.tokenExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 50 * day);
  });
});
