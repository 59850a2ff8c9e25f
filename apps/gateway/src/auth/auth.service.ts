import { Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { Logger } from '@autoposter/observability';
import { v7 as uuidv7 } from 'uuid';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { LOGGER } from '../bootstrap/systems';
import type { GoogleProfile } from './google.strategy';
import { SessionTokens, type Session } from './session-tokens';
import { SignInError } from './sign-in.filter';

const emailOf = (address: string): string => address.trim().toLowerCase();

@Injectable()
export class AuthService {
  constructor(
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly database: Database,
    private readonly tokens: SessionTokens,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isAdmin(email: string): boolean {
    return this.settings.adminEmails.includes(emailOf(email));
  }

  /** The redirect target after a successful Google sign-in. Throws `SignInError` unless the account is an administrator's. */
  async admit(profile: GoogleProfile, browser: string | null, returnTo: string | undefined): Promise<string> {
    const email = emailOf(profile.email);
    if (!profile.emailVerified) throw new SignInError('email_unverified', 'An unverified e-mail address was refused.', { email });
    if (!this.isAdmin(email)) throw new SignInError('not_admin', 'An account that is not on the admin list was refused.', { email });
    if (browser === null) throw new SignInError('sign_in_expired', 'The browser sent back no sign-in cookie.');
    await this.rememberSubject(email, profile.sub).catch((cause: unknown) => {
      if (cause instanceof SignInError) throw cause;
      throw new SignInError('not_recorded', 'The sign-in could not be recorded in the database.', { cause });
    });
    const profileClaims = { subject: profile.sub, email, name: profile.name ?? email, avatar: profile.picture };
    const identity = { ...profileClaims, sessionId: uuidv7(), browser };
    const token = await this.tokens.issue(identity, 'exchange');
    const requested = new URL(returnTo ?? '/admin', this.settings.publicUrl);
    // dots in the path may leave /admin, and the token must not be sent anywhere else
    const target = /^\/admin(?:\/|$)/u.test(requested.pathname) ? requested : new URL('/admin', this.settings.publicUrl);
    target.searchParams.set('token', token);
    return target.toString();
  }

  /** `null` for an invalid or revoked token, and for an address that is no longer on the admin list. */
  async sessionOf(token: string): Promise<Session | null> {
    const session = await this.tokens.read(token);
    if (!session || !this.isAdmin(session.email)) return null;
    return (await this.database.read.sessions.isRevoked(session.sessionId)) ? null : session;
  }

  /** The given sessions that were revoked, expired, or belong to an address that is no longer on the admin list. */
  async endedAmong(sessions: readonly Session[]): Promise<Set<Session>> {
    const revoked = await this.database.read.sessions.revokedAmong([...new Set(sessions.map(({ sessionId }) => sessionId))]);
    const isEndedSession = (session: Session) =>
      revoked.has(session.sessionId) || this.tokens.isExpired(session) || !this.isAdmin(session.email);
    return new Set(sessions.filter(isEndedSession));
  }

  /** Exchanges the redirect token for a session token: once, and only in the browser that started the sign-in. */
  async exchange(session: Session, browser: string | null): Promise<string> {
    const reason = await this.refusalOfExchange(session, browser);
    if (reason === null) return this.tokens.issue(session, 'session');
    this.logger.warn({ reason, email: session.email }, 'a sign-in token was refused');
    await this.database.read.audit.record({ actor: session.email, action: 'auth.refused', detail: { reason } });
    throw new UnauthorizedException('This sign-in link is not valid here; please sign in again.');
  }

  isEnded(sessionId: string): Promise<boolean> {
    return this.database.read.sessions.isRevoked(sessionId);
  }

  async logout(session: Session): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      // an exchange token may still become a session, hence twice the lifetime of a session
      await uow.sessions.revoke(session.sessionId, new Date((await uow.now()).getTime() + 24 * 3_600_000));
      await uow.audit.record({ actor: session.email, action: 'auth.logout' });
    });
  }

  private async refusalOfExchange({ browser, sessionId, expiresAt }: Session, given: string | null): Promise<string | null> {
    if (browser === undefined || given !== browser) return 'other_browser';
    return (await this.database.read.sessions.redeem(sessionId, expiresAt)) ? null : 'used_before';
  }

  /** An e-mail address can pass to another person, a Google account cannot: a changed account must be listed in ADMIN_ACCOUNTS. */
  private async rememberSubject(email: string, subject: string): Promise<void> {
    const name = `admin_subject:${email}`;
    const accepted = this.settings.adminAccounts.get(email) === subject;
    const known = await this.database.unitOfWork(async (uow) => {
      const first = await uow.settings.add(name, subject, email);
      const known = first ? subject : await uow.settings.get<string>(name);
      const changed = known !== subject;
      if (changed && !accepted) return known;
      if (changed) await uow.settings.set(name, subject, email);
      await uow.audit.record({ actor: email, action: 'auth.login', detail: { newAccount: changed } });
      return subject;
    });
    if (known === subject) return;
    throw new SignInError('account_changed', 'This address belongs to another Google account than before.', { email, subject });
  }
}
