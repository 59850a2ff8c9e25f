import { ENVIRONMENT_ACCOUNT_ID, type LoginFlavour } from '@autoposter/contracts';
import { LOGIN_SECONDS, type AccountReport, type Failure } from '@autoposter/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { BOOLEAN, ID, INTEGER_OR_NULL, JSON_OR_NULL, JSON_VALUE, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from '../database/columns';
import { IdRepository, SqlRepository } from '../database/sql-repository';

/**
 * An account that posts are published on. That of the environment has an id alone, and is disconnected while the environment names none: its
 * facts are in the worker's report.
 */
@Entity('instagram_accounts')
export class InstagramAccountRow {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) source!: 'environment' | 'connected';
  /** The id for publishing. */
  @Column(TEXT_OR_NULL) userId!: string | null;
  @Column(TEXT_OR_NULL) username!: string | null;
  @Column(TEXT_OR_NULL) login!: LoginFlavour | null;
  @Column(JSON_VALUE) scopes!: string[];
  /** Sealed; `null` for the environment and after a disconnection. */
  @Column(JSON_OR_NULL) token!: unknown;
  @Column(TIME_OR_NULL) tokenExpiresAt!: Date | null;
  @Column(TEXT) status!: 'unchecked' | 'ready' | 'refused' | 'disconnected';
  /** Why it is refused. */
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(INTEGER_OR_NULL) quotaUsed!: number | null;
  @Column(INTEGER_OR_NULL) quotaTotal!: number | null;
  @Column(TIME_OR_NULL) checkedAt!: Date | null;
  @Column(TEXT_OR_NULL) connectedBy!: string | null;
  /** Posts in its queue wait for the permission of their author. */
  @Column(BOOLEAN) needsPermission!: boolean;
  @Column(TIME) createdAt!: Date;
}

export type ConnectedAccount = InstagramAccountRow & { userId: string; login: LoginFlavour };

type GrantedAccountRow = Pick<ConnectedAccount, 'userId' | 'username' | 'login' | 'scopes' | 'token' | 'tokenExpiresAt'> & {
  connectedBy: string;
};

/** One login of a person. The code is of no use without the application's secret, and gone once it is redeemed. */
@Entity('account_connections')
export class AccountConnectionRow {
  @PrimaryColumn(ID) id!: string;
  @Column(TEXT) login!: LoginFlavour;
  @Column(TEXT) redirectUri!: string;
  @Column(TEXT) stateHash!: string;
  @Column(TEXT) browserHash!: string;
  @Column(TEXT) status!: 'started' | 'authorised' | 'exchanging' | 'connected' | 'failed';
  @Column(TEXT_OR_NULL) code!: string | null;
  @Column(JSON_VALUE) usernames!: string[];
  @Column(JSON_OR_NULL) failure!: Failure | null;
  @Column(TEXT) startedBy!: string;
  @Column(TIME) createdAt!: Date;
}

export class InstagramAccountRepository extends IdRepository<InstagramAccountRow> {
  protected readonly entity = InstagramAccountRow;

  /** Connected accounts, oldest first. */
  connected(): Promise<ConnectedAccount[]> {
    return this.rows(
      `SELECT * FROM instagram_accounts WHERE source = 'connected' AND status <> 'disconnected' ORDER BY created_at, id`,
    ) as Promise<ConnectedAccount[]>;
  }

  /** The account of posts that are queued automatically: that of the environment, or the first connected one while the environment names none. */
  async defaultId(): Promise<string> {
    const [id] = await this.column<string>(
      `SELECT id FROM instagram_accounts WHERE status <> 'disconnected'
       ORDER BY source = 'environment' DESC, status = 'ready' DESC, created_at, id LIMIT 1`,
    );
    return id ?? ENVIRONMENT_ACCOUNT_ID;
  }

  async setEnvironment({ isConfigured }: { isConfigured: boolean }): Promise<void> {
    await this.run(
      `UPDATE instagram_accounts SET status = CASE WHEN $2 THEN 'unchecked' ELSE 'disconnected' END WHERE id = $1 AND (status = 'disconnected') = $2`,
      [ENVIRONMENT_ACCOUNT_ID, isConfigured],
    );
  }

  /** Accounts whose check is due, each given to one process: daily, and every ten minutes while the account is not ready. */
  claimDueForCheck(): Promise<ConnectedAccount[]> {
    return this.rows(
      `UPDATE instagram_accounts SET checked_at = now()
       WHERE id IN (SELECT id FROM instagram_accounts WHERE source = 'connected' AND status <> 'disconnected' AND (checked_at IS NULL
         OR checked_at < now() - CASE WHEN status = 'ready' THEN interval '1 day' ELSE interval '10 minutes' END) FOR UPDATE SKIP LOCKED)
       RETURNING *`,
    ) as Promise<ConnectedAccount[]>;
  }

  /** The connected account with this id for publishing; `null` for that of the environment. */
  findByUser(userId: string): Promise<ConnectedAccount | null> {
    return this.row(`SELECT * FROM instagram_accounts WHERE source = 'connected' AND user_id = $1`, [
      userId,
    ]) as Promise<ConnectedAccount | null>;
  }

  /** Connects an account, or connects it again: it keeps its id, and with it its queue and settings. */
  async saveConnected(granted: GrantedAccountRow): Promise<ConnectedAccount> {
    const { userId, username, login, scopes, token, tokenExpiresAt, connectedBy } = granted;
    const row = await this.row(
      `INSERT INTO instagram_accounts (id, source, user_id, username, login, scopes, token, token_expires_at, connected_by)
       VALUES ($1, 'connected', $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8)
       ON CONFLICT (user_id) WHERE source = 'connected' DO UPDATE SET username = excluded.username, login = excluded.login,
         scopes = excluded.scopes, token = excluded.token, token_expires_at = excluded.token_expires_at, connected_by = excluded.connected_by,
         status = 'unchecked', failure = NULL, checked_at = NULL
       RETURNING *`,
      [uuidv7(), userId, username, login, JSON.stringify(scopes), JSON.stringify(token), tokenExpiresAt, connectedBy],
    );
    if (row === null) throw new Error('a connected account was not stored');
    return row as ConnectedAccount;
  }

  async saveToken(id: string, token: unknown, expiresAt: string | null): Promise<void> {
    await this.run(`UPDATE instagram_accounts SET token = $2::jsonb, token_expires_at = $3 WHERE id = $1 AND status <> 'disconnected'`, [
      id,
      JSON.stringify(token),
      expiresAt,
    ]);
  }

  /** The result of a check; a disconnected account stays so. */
  async saveCheck(id: string, found: { report: AccountReport } | { failure: Failure }): Promise<void> {
    if ('failure' in found) {
      await this.run(
        `UPDATE instagram_accounts SET status = 'refused', failure = $2, checked_at = now() WHERE id = $1 AND status <> 'disconnected'`,
        [id, JSON.stringify(found.failure)],
      );
      return;
    }
    const { username, quotaUsed, quotaTotal, tokenExpiresAt } = found.report;
    await this.run(
      `UPDATE instagram_accounts SET status = 'ready', failure = NULL, checked_at = now(), username = coalesce($2, username), quota_used = $3,
         quota_total = $4, token_expires_at = coalesce($5::timestamptz, token_expires_at) WHERE id = $1 AND status <> 'disconnected'`,
      [id, username, quotaUsed, quotaTotal, tokenExpiresAt],
    );
  }

  /** Makes the check of a ready account due in ten minutes. `false` for any other. */
  async postponeCheck(id: string): Promise<boolean> {
    return this.affectsRow(
      `UPDATE instagram_accounts SET checked_at = now() - interval '1 day' + interval '10 minutes' WHERE id = $1 AND status = 'ready'`,
      [id],
    );
  }

  async setNeedsPermission(id: string, needsPermission: boolean): Promise<void> {
    await this.run(`UPDATE instagram_accounts SET needs_permission = $2 WHERE id = $1`, [id, needsPermission]);
  }

  /** Accounts that publish only posts with the author's permission. */
  async needingPermission(): Promise<string[]> {
    return this.column(`SELECT id FROM instagram_accounts WHERE needs_permission AND status <> 'disconnected'`);
  }

  /** Makes the check of an account due, which is not ready before its result. */
  async requestCheck(id: string): Promise<void> {
    await this.run(
      `UPDATE instagram_accounts SET checked_at = NULL, status = CASE status WHEN 'disconnected' THEN status ELSE 'unchecked' END WHERE id = $1`,
      [id],
    );
  }

  /** Whether a check of the account of the environment was requested; each request is given to one process. */
  async claimEnvironmentCheck(): Promise<boolean> {
    return this.affectsRow(`UPDATE instagram_accounts SET checked_at = now() WHERE id = $1 AND checked_at IS NULL`, [
      ENVIRONMENT_ACCOUNT_ID,
    ]);
  }

  /** Until this transaction ends, the account cannot be disconnected, nor otherwise changed. */
  async keepConnected(id: string): Promise<void> {
    await this.run('SELECT FROM instagram_accounts WHERE id = $1 FOR SHARE', [id]);
  }

  /** Forgets the token. Returns `false` for the account of the environment and for one that is not connected. */
  async disconnect(id: string): Promise<boolean> {
    return this.affectsRow(
      `UPDATE instagram_accounts SET status = 'disconnected', token = NULL, token_expires_at = NULL, failure = NULL
       WHERE id = $1 AND id <> $2 AND status <> 'disconnected'`,
      [id, ENVIRONMENT_ACCOUNT_ID],
    );
  }
}

type NewConnection = Pick<AccountConnectionRow, 'login' | 'redirectUri' | 'stateHash' | 'browserHash' | 'startedBy'>;

export class AccountConnectionRepository extends SqlRepository<AccountConnectionRow> {
  protected readonly entity = AccountConnectionRow;

  async start(connection: NewConnection): Promise<void> {
    await this.run(`DELETE FROM account_connections WHERE created_at < now() - interval '1 day'`);
    await this.insert({ id: uuidv7(), ...connection });
  }

  /** The answer of the login, accepted once and only from the browser that started it. */
  async answer(
    { stateHash, browserHash }: { stateHash: string; browserHash: string },
    answer: { code: string } | { failure: Failure },
  ): Promise<boolean> {
    const [status, code, failure] = 'code' in answer ? ['authorised', answer.code, null] : ['failed', null, JSON.stringify(answer.failure)];
    return this.affectsRow(
      `UPDATE account_connections SET status = $3, code = $4, failure = $5
       WHERE state_hash = $1 AND browser_hash = $2 AND status = 'started' AND created_at > now() - make_interval(secs => ${LOGIN_SECONDS})`,
      [stateHash, browserHash, status, code, failure],
    );
  }

  /** The next code to redeem, given to one process once. */
  async claim(): Promise<(AccountConnectionRow & { code: string }) | null> {
    const found = await this.row(
      `UPDATE account_connections c SET status = 'exchanging', code = NULL
       FROM (SELECT id, code AS claimed FROM account_connections WHERE status = 'authorised' ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED) old
       WHERE c.id = old.id RETURNING c.id, c.login, c.redirect_uri, c.state_hash, c.browser_hash, c.status, old.claimed AS code, c.usernames,
         c.failure, c.started_by, c.created_at`,
    );
    return found as (AccountConnectionRow & { code: string }) | null;
  }

  async finish(id: string, result: { usernames: readonly string[] } | { failure: Failure }): Promise<void> {
    const failure = 'failure' in result ? JSON.stringify(result.failure) : null;
    const usernames = 'usernames' in result ? result.usernames : [];
    await this.run(`UPDATE account_connections SET status = $2, failure = $3, usernames = $4::jsonb WHERE id = $1`, [
      id,
      failure === null ? 'connected' : 'failed',
      failure,
      JSON.stringify(usernames),
    ]);
  }

  /** The newest connection of an administrator within the time of a login. */
  latestOf(startedBy: string): Promise<AccountConnectionRow | null> {
    return this.row(
      `SELECT * FROM account_connections WHERE started_by = $1 AND created_at > now() - make_interval(secs => ${LOGIN_SECONDS})
       ORDER BY created_at DESC LIMIT 1`,
      [startedBy],
    );
  }
}
