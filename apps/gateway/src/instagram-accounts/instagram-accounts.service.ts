import { createHash, randomBytes } from 'node:crypto';
import { releasePermitted } from '@autoposter/workflow';
import { ConflictException, Inject, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import {
  ENVIRONMENT_ACCOUNT_ID,
  LOGIN_FLAVOURS,
  LOGIN_NAMES,
  type AccountConnection,
  type ConnectionCallbackQuery,
  type InstagramAccount,
  type InstagramAccounts,
  type LoginFlavour,
  type Publishing,
  type ResumeBody,
} from '@autoposter/contracts';
import {
  ACCOUNT_REPORT,
  authorizationUrl,
  CONNECTION_CALLBACK_PATH,
  cutText,
  describeConnection,
  failureOf,
  oneLine,
  storableText,
  withheldScopes,
} from '@autoposter/domain';
import { Database, type AccountConnectionRow, type ConnectedAccount } from '@autoposter/persistence';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { InstagramService } from '../instagram/instagram.service';
import type { AccountFindings } from '../instagram/media-reach';
import { PublishingService } from '../publishing/publishing.service';
import { StoredSettings } from '../settings/stored-settings';

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url');

/**
 * Accounts and the logins that connect them. The gateway hands the person to the login page and keeps its answer; the publishing worker,
 * which alone has the application's secret, redeems it.
 */
@Injectable()
export class InstagramAccountsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly instagram: InstagramService,
    private readonly publishing: PublishingService,
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Workers that put posts into the queue do not know the environment of the gateway. */
  onModuleInit(): Promise<void> {
    return this.database.read.accounts.setEnvironment({ isConfigured: this.settings.instagramAccountId !== null });
  }

  async list(actor: string): Promise<InstagramAccounts> {
    const [first, connected, connection] = await Promise.all([
      this.ofEnvironment(),
      this.database.read.accounts.connected(),
      this.database.read.connections.latestOf(actor),
    ]);
    const logins = LOGIN_FLAVOURS.map((login) => ({ login, missing: this.missingFor(login) }));
    const accounts = await Promise.all([...first, ...connected.map(present)].map((account) => this.withQueue(account)));
    return { accounts, logins, connection: connection && presentConnection(connection) };
  }

  /** Returns the address of the login page. Its answer is accepted once, and only in the browser that asked. */
  async connect(login: LoginFlavour, actor: string, browserHash: string): Promise<string> {
    const missing = this.missingFor(login);
    if (missing !== null) throw new ConflictException(`Connecting accounts through ${LOGIN_NAMES[login]} needs ${missing}.`);
    const { publicUrl, instagramLogin } = this.settings;
    const state = randomBytes(32).toString('base64url');
    const redirectUri = `${publicUrl}${CONNECTION_CALLBACK_PATH}`;
    await this.database.read.connections.start({ login, redirectUri, stateHash: hashOf(state), browserHash, startedBy: actor });
    const { appIds, loginUrls, apiVersion } = instagramLogin;
    return authorizationUrl(login, { origin: loginUrls[login], apiVersion, appId: appIds[login] ?? '', redirectUri, state });
  }

  /** Ignores an answer without an open login of this browser: it may be forged. */
  async answer({ code, state, error, error_description: reason }: ConnectionCallbackQuery, browserHash: string | null): Promise<void> {
    if (state === undefined || browserHash === null) return;
    const key = { stateHash: hashOf(state), browserHash };
    const problem = code === undefined ? (reason ?? error ?? 'the answer has no code') : 'its code is unusable';
    const answer = code !== undefined && CODE.test(code) ? { code } : { failure: declined(problem) };
    await this.database.read.connections.answer(key, answer);
  }

  async pause(id: string, actor: string): Promise<Publishing> {
    await this.stored.account(this.database.read, id);
    return this.publishing.pause(actor, id);
  }

  async resume(id: string, { since }: ResumeBody, actor: string): Promise<Publishing> {
    await this.stored.account(this.database.read, id);
    return this.publishing.resume(actor, { since, accountId: id });
  }

  /** Posts that are already in its queue are checked again before they are published; those that waited for a permission wait no longer. */
  async changeNeedsPermission(id: string, needsPermission: boolean, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      await this.stored.account(uow, id);
      await uow.accounts.setNeedsPermission(id, needsPermission);
      if (!needsPermission) await releasePermitted(uow, actor);
      await uow.audit.record({ actor, action: 'instagramAccounts.changeNeedsPermission', subject: id, detail: { needsPermission } });
    });
  }

  /** Posts that wait for the account, or whose outcome is not known yet, need its token. */
  async disconnect(id: string): Promise<void> {
    if (id === ENVIRONMENT_ACCOUNT_ID)
      throw new ConflictException('This is the account of the environment; remove INSTAGRAM_ACCESS_TOKEN to disconnect it.');
    await this.database.unitOfWork(async (uow) => {
      // first, so that posts that are being queued meanwhile are waited for and counted
      if (!(await uow.accounts.disconnect(id))) throw new NotFoundException('This account is not connected.');
      const { waiting } = await uow.queue.next(id);
      const posts = waiting + (await uow.queue.listPosting(id)).length;
      if (posts > 0) {
        const [found, them] = posts === 1 ? ['1 post is', 'it'] : [`${posts} posts are`, 'them'];
        throw new ConflictException(`${found} in the queue of this account; remove ${them} or let ${them} go out first.`);
      }
    });
  }

  private async withQueue(account: AccountFacts): Promise<InstagramAccount> {
    const { read } = this.database;
    const [publishing, { waiting }] = await Promise.all([this.stored.publishing(read, account.id), read.queue.next(account.id)]);
    return { ...account, publishing, waiting };
  }

  private missingFor(login: LoginFlavour): string | null {
    if (this.settings.instagramLogin.appIds[login] !== null) return null;
    return login === 'facebook' ? 'FACEBOOK_APP_ID' : 'INSTAGRAM_APP_ID';
  }

  private async ofEnvironment(): Promise<AccountFacts[]> {
    const { isConfigured, account } = await this.instagram.config();
    if (!isConfigured) return [];
    const report = await this.database.read.workerReports.find<AccountFindings>(ACCOUNT_REPORT);
    return [
      {
        id: ENVIRONMENT_ACCOUNT_ID,
        source: 'environment',
        userId: this.settings.instagramAccountId,
        username: account?.username ?? null,
        login: this.settings.instagramApi?.flavour ?? null,
        status: account ? (account.ok ? 'ready' : 'refused') : 'unchecked',
        detail: account?.detail ?? UNCHECKED,
        tokenExpiresAt: report?.report.tokenExpiresAt ?? null,
        checkedAt: account?.checkedAt ?? null,
        connectedBy: null,
        needsPermission: (await this.database.read.accounts.find(ENVIRONMENT_ACCOUNT_ID))?.needsPermission ?? false,
      },
    ];
  }
}

type AccountFacts = Omit<InstagramAccount, 'publishing' | 'waiting'>;

const UNCHECKED = 'The publishing worker has not checked this account yet.';

function present(account: ConnectedAccount): AccountFacts {
  const { id, userId, username, login, status, tokenExpiresAt, checkedAt, connectedBy, needsPermission } = account;
  return {
    id,
    source: 'connected',
    userId,
    username,
    login,
    status: status === 'disconnected' ? 'unchecked' : status,
    detail: detailOf(account),
    tokenExpiresAt: tokenExpiresAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
    connectedBy,
    needsPermission,
  };
}

const declined = (problem: string) =>
  failureOf('login_declined', { fields: { reason: withoutFullStop(oneLine(storableText(cutText(problem, 200)))) } });

/** RFC 6749, appendix A.11; the length is ours. */
const CODE = /^[\x20-\x7e]{1,2000}$/u;

/** It becomes a part of a sentence. */
function withoutFullStop(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed;
}

function detailOf({ status, failure, login, scopes, quotaUsed, quotaTotal, tokenExpiresAt }: ConnectedAccount): string {
  if (status === 'unchecked') return UNCHECKED;
  if (failure !== null) return `${failure.message} ${failure.nextAction}`;
  const connection = describeConnection(login, { quotaUsed, quotaTotal, tokenExpiresAt: tokenExpiresAt?.toISOString() ?? null });
  const withheld = withheldScopes(login, scopes);
  const lacks = withheld.length === 0 ? '' : ` The login did not grant ${withheld.join(', ')}.`;
  return `${connection}${lacks}`;
}

function presentConnection({ status, failure, usernames, login }: AccountConnectionRow): AccountConnection {
  if (status === 'connected') return { status, message: `Connected ${usernames.join(', ')}.`, login };
  if (status === 'failed') return { status, message: failure === null ? '' : `${failure.message} ${failure.nextAction}`, login };
  const message = status === 'started' ? 'The login has not been completed.' : 'The publishing worker is connecting the account…';
  return { status: status === 'started' ? 'started' : 'pending', message, login };
}
