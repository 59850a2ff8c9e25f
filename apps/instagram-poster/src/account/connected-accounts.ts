import { LOGIN_NAMES } from '@autoposter/contracts';
import type { Config } from '@autoposter/config';
import {
  accountName,
  accountTroubleOf,
  changeFailure,
  type Failure,
  FAILURE_POLICY,
  ofConnectedAccount,
  PipelineError,
  toFailure,
} from '@autoposter/domain';
import { openToken, redeemCode, sealToken, type GrantedAccount, type StoredToken } from '@autoposter/instagram';
import type { Systems } from '@autoposter/job-engine';
import type { AccountConnectionRow, ConnectedAccount } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
import { connectedPublisher } from '../poster.tools';
import { AccountBreaker } from './account-breaker';
import { quotaUnknown } from './check-account';
import { TokenKeeper } from './token-keeper';

type AccountSystems = Pick<Systems, 'config' | 'database' | 'logger'>;

/**
 * Redeems the next code of a login that an administrator completed, and checks the accounts that it grants. Returns `false` if there is
 * none. A code whose exchange is interrupted is lost: the administrator connects again.
 */
export async function connectNext(systems: AccountSystems): Promise<boolean> {
  const { database, logger } = systems;
  const connection = await database.read.connections.claim();
  if (connection === null) return false;
  try {
    const accounts = await connect(systems, connection);
    for (const account of accounts) await checkAccount(systems, account);
    await database.read.connections.finish(connection.id, { usernames: accounts.map(accountName) });
    logger.info({ accounts: accounts.length, login: connection.login }, 'connected Instagram accounts');
  } catch (error) {
    const failure = changeFailure(ofConnectedAccount(toFailure(error)), { retried: false });
    logger.warn({ code: failure.code, login: connection.login }, 'an Instagram account was not connected');
    await database.read.connections.finish(connection.id, { failure });
  }
  return true;
}

async function connect(
  { config, database, logger }: AccountSystems,
  { login, code, redirectUri, startedBy }: AccountConnectionRow & { code: string },
): Promise<ConnectedAccount[]> {
  const { apps, tokenUrl, graphUrl, apiVersion } = config.instagramLogin;
  const { id, secret } = apps[login];
  const keys = config.keys.sealing;
  if (id === null || secret === null || keys.length === 0) {
    const missing = keys.length === 0 ? 'SEALING_KEY or JWT_SECRET' : `the id and the secret of the application of ${LOGIN_NAMES[login]}`;
    throw PipelineError.of('login_not_configured', { fields: { missing } });
  }
  const granted = await redeemCode(login, { tokenUrl, graphUrl, apiVersion, app: { id, secret }, logger }, { code, redirectUri });
  const others = granted.filter(({ userId }) => !isOfEnvironment(config, userId));
  const [only] = granted;
  if (others.length === 0 && only !== undefined)
    throw PipelineError.of('account_of_environment', { fields: { username: accountName(only) } });
  const sealed = ({ accessToken, expiresAt, userId }: GrantedAccount) => sealToken({ accessToken, expiresAt }, userId, keys, new Date());
  return database.unitOfWork(async (uow) => {
    const accounts: ConnectedAccount[] = [];
    for (const account of others) {
      const { userId, username, scopes, expiresAt } = account;
      const tokenExpiresAt = expiresAt === null ? null : new Date(expiresAt);
      const stored = { userId, username, login, scopes, token: sealed(account), tokenExpiresAt, connectedBy: startedBy };
      const row = await uow.accounts.saveConnected(stored);
      await uow.audit.record({ actor: startedBy, action: 'instagram_account.connect', subject: row.id, detail: { username, login } });
      accounts.push(row);
    }
    return accounts;
  });
}

const isOfEnvironment = ({ instagram }: Pick<Config, 'instagram'>, userId: string): boolean =>
  instagram.configured && instagram.accountId === userId;

/** Renews the token of an account when that is due and asks the platform whether it may publish; a refusal is a finding, not an error. */
export async function checkAccount({ config, database, logger }: AccountSystems, account: ConnectedAccount): Promise<void> {
  const { accounts } = database.read;
  const keys = config.keys.sealing;
  try {
    if (isOfEnvironment(config, account.userId))
      throw PipelineError.of('account_of_environment', { fields: { username: accountName(account) } });
    const token = account.token === null ? null : openToken(account.token as StoredToken, account.userId, keys);
    if (token === null) throw PipelineError.of('account_token_unreadable');
    const publisher = connectedPublisher(config, account, token, logger);
    // Facebook Login stores tokens of Pages, which do not expire
    if (account.login === 'instagram')
      await new TokenKeeper({
        configured: account.userId,
        keys,
        store: {
          read: () => Promise.resolve(account.token as StoredToken),
          write: (stored) => accounts.saveToken(account.id, stored, stored.expiresAt),
        },
        renew: () => publisher.renewToken(),
        use: (renewed) => publisher.useToken(renewed),
        logger,
      }).keep();
    const report = await publisher.account();
    if (report.quotaTotal === null) throw new PipelineError(quotaUnknown());
    await accounts.saveCheck(account.id, { report });
  } catch (error) {
    await refuse({ config, database, logger }, account, ofConnectedAccount(toFailure(error)));
  }
}

/** A passing failure leaves a ready account ready, so that it stops no queue. A refused token stops publishing, as on the first account. */
async function refuse({ database, logger }: AccountSystems, account: ConnectedAccount, failure: Failure): Promise<void> {
  const { accounts } = database.read;
  if (FAILURE_POLICY[failure.kind] !== 'never' && (await accounts.postponeCheck(account.id))) {
    logger.warn({ userId: account.userId, code: failure.code }, 'an account could not be checked; it is checked again in ten minutes');
    return;
  }
  const trouble = accountTroubleOf(failure);
  // a login that failed has nothing to stop
  if (trouble !== null && 'stop' in trouble && account.checkedAt !== null)
    await new AccountBreaker(database, logger, account.id).stop(trouble.stop);
  await accounts.saveCheck(account.id, { failure });
}

const ROUND_MS = 2_000;

interface WatchedAccounts extends AccountSystems {
  /** Of the account of the environment; `null` while none is configured. */
  checkEnvironmentAccount: (() => Promise<unknown>) | null;
  signal: AbortSignal;
}

/** Connects accounts and makes the checks that are due or requested, until `signal` aborts. Never rejects. */
export function watchConnectedAccounts({ signal, checkEnvironmentAccount, ...systems }: WatchedAccounts): void {
  const { database, logger } = systems;
  const round = async (): Promise<void> => {
    if (checkEnvironmentAccount !== null && (await database.read.accounts.claimEnvironmentCheck())) await checkEnvironmentAccount();
    while (!signal.aborted && (await connectNext(systems)));
    for (const account of await database.read.accounts.claimDueForCheck()) await checkAccount(systems, account);
  };
  repeatUntilAborted(signal, {
    work: round,
    everyMs: ROUND_MS,
    problem: 'Instagram accounts could not be checked; the next round tries again',
    logger,
  });
}
