import type { Logger } from '@autoposter/observability';
import { FakeDatabase, minutesFromNow, NOW } from '@autoposter/testkit';
import { gatewaySettings } from '../testing/fake-settings';
import { AuthService } from './auth.service';
import { type Session, SessionTokens } from './session-tokens';

const ADMIN = 'ada@example.com';
const PROFILE = { sub: '42', email: ' Ada@Example.com ', emailVerified: true, name: 'Ada', picture: null };
const session = (values: Partial<Session> = {}): Session => ({
  sessionId: 'session-1',
  subject: '42',
  email: ADMIN,
  name: 'Ada',
  avatar: null,
  use: 'session',
  expiresAt: minutesFromNow(60),
  ...values,
});
const tokens = new SessionTokens([Buffer.from('a key that is as long as it has to be')], () => NOW);
const logger = { warn: () => undefined } as unknown as Logger;

function arrange(stubs: Record<string, unknown> = {}, adminAccounts = new Map<string, string>()) {
  const fake = new FakeDatabase({
    'settings.add': true,
    'sessions.isRevoked': false,
    'sessions.revokedAmong': new Set(),
    'sessions.redeem': true,
    ...stubs,
  });
  const settings = gatewaySettings({ adminEmails: [ADMIN], adminAccounts, publicUrl: 'https://autoposter.example' });
  return { fake, service: new AuthService(settings, fake.database, tokens, logger) };
}

describe('AuthService.admit', () => {
  it('redirects an administrator to the requested page with an exchange token', async () => {
    const { fake, service } = arrange();
    const target = new URL(await service.admit(PROFILE, 'browser', '/admin/urls?page=2'));
    expect([target.origin, target.pathname, target.searchParams.get('page')]).toEqual(['https://autoposter.example', '/admin/urls', '2']);
    const issued = await tokens.read(target.searchParams.get('token') ?? '');
    expect(issued).toMatchObject({ use: 'exchange', email: ADMIN, subject: '42', browser: 'browser' });
    expect(fake.argsOf('settings.add')).toEqual([['admin_subject:ada@example.com', '42', ADMIN]]);
    expect(fake.argsOf('audit.record')).toEqual([[{ actor: ADMIN, action: 'auth.login', detail: { newAccount: false } }]]);
  });

  it.each([undefined, '/', '/login', '/adminx', '/admin/../login', 'https://evil.example/admin/../x', '//evil.example'])(
    'redirects to /admin of this site instead of %s',
    async (returnTo) => {
      const target = new URL(await arrange().service.admit(PROFILE, 'browser', returnTo));
      expect([target.origin, target.pathname]).toEqual(['https://autoposter.example', '/admin']);
    },
  );

  it.each([
    ['an unverified address', { emailVerified: false }, 'browser', 'email_unverified'],
    ['an address that is not on the list', { email: 'eve@example.com' }, 'browser', 'not_admin'],
    ['a browser without the cookie', {}, null, 'sign_in_expired'],
  ])('refuses %s', async (_what, profile, browser, reason) => {
    const { fake, service } = arrange();
    await expect(service.admit({ ...PROFILE, ...profile }, browser, undefined)).rejects.toMatchObject({ reason });
    expect(fake.argsOf('settings.add')).toEqual([]);
  });

  it('ends on a page, not in JSON, while the database is unavailable', async () => {
    const outage = () => Promise.reject(new Error('connection refused'));
    await expect(arrange({ 'settings.add': outage }).service.admit(PROFILE, 'browser', undefined)).rejects.toMatchObject({
      reason: 'not_recorded',
      path: '/?reason=not_recorded',
      cause: { message: 'connection refused' },
    });
  });

  const known = { 'settings.add': false, 'settings.get': '41' };
  it('refuses another account with a known address', async () => {
    const { fake, service } = arrange(known);
    await expect(service.admit(PROFILE, 'browser', undefined)).rejects.toMatchObject({ reason: 'account_changed', subject: '42' });
    expect([fake.argsOf('settings.set'), fake.auditActions]).toEqual([[], []]);
  });

  it('accepts another account that ADMIN_ACCOUNTS names', async () => {
    const { fake, service } = arrange(known, new Map([[ADMIN, '42']]));
    await service.admit(PROFILE, 'browser', undefined);
    expect(fake.argsOf('settings.set')).toEqual([['admin_subject:ada@example.com', '42', ADMIN]]);
    expect(fake.argsOf('audit.record')[0]?.[0]).toMatchObject({ detail: { newAccount: true } });
  });
});

describe('AuthService.sessionOf', () => {
  const issued = (values: Partial<Session> = {}) => tokens.issue(session(values), 'session');
  it.each([
    ['reads a valid token', {}, {}, { sessionId: 'session-1', email: ADMIN }],
    ['refuses a revoked session', {}, { 'sessions.isRevoked': true }, null],
    ['refuses an address that left the list', { email: 'former@example.com' }, {}, null],
  ])('%s', async (_what, values, stubs, expected) => {
    const found = await arrange(stubs).service.sessionOf(await issued(values));
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject(expected);
  });

  it('refuses a foreign token', async () => {
    expect(await arrange().service.sessionOf('foreign')).toBeNull();
  });
});

describe('AuthService.endedAmong', () => {
  it('finds revoked and expired sessions and those of former administrators', async () => {
    const valid = session();
    const ended = [
      session({ sessionId: 'revoked' }),
      session({ sessionId: 'expired', expiresAt: NOW }),
      session({ sessionId: 'former', email: 'x@example.com' }),
    ];
    const { service } = arrange({ 'sessions.revokedAmong': new Set(['revoked']) });
    expect(await service.endedAmong([valid, ...ended])).toEqual(new Set(ended));
  });
});

describe('AuthService.exchange', () => {
  const exchange = session({ use: 'exchange', browser: 'browser' });

  it('exchanges a token for a session token', async () => {
    const token = await arrange().service.exchange(exchange, 'browser');
    expect(await tokens.read(token)).toMatchObject({ use: 'session', sessionId: 'session-1' });
  });

  it.each([
    ['another browser', exchange, 'other', true, 'other_browser'],
    ['a browser without the cookie', exchange, null, true, 'other_browser'],
    ['a token that names no browser', session({ use: 'exchange' }), null, true, 'other_browser'],
    ['a second use', exchange, 'browser', false, 'used_before'],
  ])('refuses %s', async (_what, token, browser, redeemed, reason) => {
    const { fake, service } = arrange({ 'sessions.redeem': redeemed });
    await expect(service.exchange(token, browser)).rejects.toMatchObject({ status: 401 });
    expect(fake.argsOf('audit.record')).toEqual([[{ actor: ADMIN, action: 'auth.refused', detail: { reason } }]]);
  });
});

describe('AuthService.logout', () => {
  it('revokes the session for longer than an exchange token can extend it', async () => {
    const { fake, service } = arrange();
    await service.logout(session());
    expect([fake.argsOf('sessions.revoke'), fake.auditActions]).toEqual([[['session-1', minutesFromNow(24 * 60)]], ['auth.logout']]);
  });
});
