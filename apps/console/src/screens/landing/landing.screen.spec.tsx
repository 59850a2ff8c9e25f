import { screen, waitFor } from '@testing-library/react';
import { keepToken, readUrlToken, readToken, takeTokenFromUrl } from '../../data/session/session-token';
import { page } from '../../data/session/use-session';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';

describe('landing screen', () => {
  it('offers the sign-in to visitors without any request', async () => {
    const api = new FakeApi();
    renderApp('/', { signedIn: false });
    expect(await screen.findByRole('heading', { level: 1, name: 'Coming Soon' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeEnabled();
    expect(api.requests).toEqual([]);
  });

  it('shows all stages as not done', async () => {
    new FakeApi();
    renderApp('/', { signedIn: false });
    expect(await screen.findByRole('img', { name: 'The stages of every post: Download, DMCA, AI, Queue, Posted' })).toBeVisible();
    expect([...document.querySelectorAll('[data-segment]')].map((segment) => segment.getAttribute('data-segment'))).toEqual(
      Array(5).fill('todo'),
    );
  });

  it('shows Loading... and redirects a signed-in user to the dashboard', async () => {
    new FakeApi();
    const { router } = renderApp('/');
    expect(screen.getByText('Loading...')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin'));
    expect(router.state.historyAction).toBe('REPLACE');
  });

  it('shows Loading... while the signed-in part of the console is fetched', async () => {
    new FakeApi();
    renderApp('/admin');
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
    expect(document.querySelector('.MuiCircularProgress-root')).not.toBeNull();
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  });

  it('shows why a sign-in failed', async () => {
    new FakeApi();
    renderApp('/?reason=sign_in_expired', { signedIn: false });
    expect(await screen.findByText('The sign-in took too long. Please try again.')).toBeVisible();
  });

  it('stores the token and removes it from the URL', () => {
    window.history.replaceState(null, '', '/admin/urls?status=failed&token=short-token');
    takeTokenFromUrl();
    expect(readUrlToken()).toBe('short-token');
    expect(window.location.pathname + window.location.search).toBe('/admin/urls?status=failed');
    window.history.replaceState(null, '', '/');
  });
});

describe('token in the URL', () => {
  const me = (token?: string) => ({
    success: true,
    user: { name: 'Ada', email: 'ada@example.com', avatar: null },
    ...(token ? { token } : {}),
  });
  const arrive = (token: string) => {
    window.history.replaceState(null, '', `/admin?token=${token}`);
    takeTokenFromUrl();
  };
  let toRoot: jest.SpyInstance;
  beforeEach(() => (toRoot = jest.spyOn(page, 'toRoot').mockImplementation(() => undefined)));
  afterEach(() => {
    toRoot.mockRestore();
    window.history.replaceState(null, '', '/');
  });

  it('is exchanged for a session token before any screen loads data', async () => {
    const sent: string[] = [];
    const api = new FakeApi().on('GET /api/auth/me', me('session'));
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      sent.push(`${String(input)} ${(init?.headers as Record<string, string>)['authorization']}`);
      return real(input, init);
    };
    arrive('short-token');
    renderApp('/admin', { signedIn: false });
    await waitFor(() => expect(api.requests.length).toBeGreaterThan(2));
    expect([sent[0], readToken(), readUrlToken()]).toEqual(['/api/auth/me Bearer short-token', 'session', null]);
    expect(sent.slice(1).filter((one) => !one.endsWith('Bearer session'))).toEqual([]);
  });

  it('is kept when the exchange returns no token', async () => {
    new FakeApi().on('GET /api/auth/me', me());
    arrive('long-token');
    renderApp('/admin', { signedIn: false });
    await waitFor(() => expect(readToken()).toBe('long-token'));
  });

  it('is exchanged by the next page if the first one was left before the answer', async () => {
    arrive('short-token');
    const nextPage = { readUrlToken: (): string | null => null };
    await jest.isolateModulesAsync(async () => {
      Object.assign(nextPage, await import('../../data/session/session-token'));
    });
    expect(nextPage.readUrlToken()).toBe('short-token');
    new FakeApi().on('GET /api/auth/me', me('session'));
    renderApp('/admin', { signedIn: false });
    await waitFor(() => expect(readToken()).toBe('session'));
    expect(sessionStorage.getItem('autoposter.token')).toBeNull();
  });

  it('redirects to the landing screen when it is refused without a session', async () => {
    new FakeApi().fail('GET /api/auth/me', 'Please sign in.', 401);
    arrive('garbage');
    renderApp('/admin', { signedIn: false });
    await waitFor(() => expect(toRoot).toHaveBeenCalled());
    expect([readToken(), readUrlToken()]).toEqual([null, null]);
  });

  it('keeps the existing session when it is refused', async () => {
    const api = new FakeApi();
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      if ((init?.headers as Record<string, string>)['authorization'] !== 'Bearer garbage') return real(input, init);
      return Promise.resolve({ ok: false, status: 401, json: () => Promise.resolve({ success: false, error: 'no' }) } as Response);
    };
    keepToken('mine');
    arrive('garbage');
    renderApp('/admin', { signedIn: false });
    expect(await screen.findByRole('heading', { level: 1, name: 'Instagram Auto-Poster Dashboard' })).toBeVisible();
    expect([readToken(), window.location.search, toRoot.mock.calls.length]).toEqual(['mine', '', 0]);
    expect(api.calls('GET', '/api/auth/me')).toHaveLength(1);
  });

  it('keeps the existing session when the token was not exchanged in this browser', async () => {
    const asked: string[] = [];
    const api = new FakeApi().on('GET /api/auth/me', me());
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      asked.push((init?.headers as Record<string, string>)['authorization'] ?? '');
      return real(input, init);
    };
    keepToken('mine');
    arrive('session-of-someone-else');
    renderApp('/admin', { signedIn: false });
    expect(await screen.findByRole('heading', { level: 1, name: 'Instagram Auto-Poster Dashboard' })).toBeVisible();
    await waitFor(() => expect(api.requests.length).toBeGreaterThan(2));
    expect([readToken(), readUrlToken()]).toEqual(['mine', null]);
    expect(asked.slice(1).filter((one) => one !== 'Bearer mine')).toEqual([]);
  });

  it('redirects to the landing screen when the current user cannot be fetched', async () => {
    new FakeApi().fail('GET /api/auth/me', 'Please sign in.', 401);
    keepToken('ended');
    renderApp('/admin', { signedIn: false });
    await waitFor(() => expect(toRoot).toHaveBeenCalled());
    expect(readToken()).toBeNull();
  });
});

describe('admin guard', () => {
  it('asks visitors to sign in', async () => {
    new FakeApi();
    renderApp('/admin/urls', { signedIn: false });
    expect(await screen.findByRole('heading', { level: 1, name: 'Admin Access Required' })).toBeVisible();
    expect(screen.getByText(/sign in with an admin account/u)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeEnabled();
  });

  it('shows Loading... while the user is fetched', async () => {
    const api = new FakeApi().hold('GET /api/auth/me');
    renderApp('/admin');
    await waitFor(() => expect(api.calls('GET', '/api/auth/me')).toHaveLength(1));
    expect(screen.getByText('Loading...')).toBeVisible();
  });

  it('keeps the session token that comes back', async () => {
    new FakeApi().on('GET /api/auth/me', {
      success: true,
      user: { name: 'Ada', email: 'ada@example.com', avatar: null },
      token: 'session',
    });
    renderApp('/admin');
    await waitFor(() => expect(readToken()).toBe('session'));
  });

  it('logs out when the user cannot be fetched', async () => {
    new FakeApi().fail('GET /api/auth/me', 'Please sign in', 401);
    renderApp('/admin');
    expect(await screen.findByText('Admin Access Required')).toBeVisible();
    expect(readToken()).toBeNull();
  });

  it('sends the token with each call', async () => {
    new FakeApi();
    const real = globalThis.fetch;
    const headers: unknown[] = [];
    globalThis.fetch = (input, init) => {
      headers.push((init?.headers as Record<string, string> | undefined)?.['authorization']);
      return real(input, init);
    };
    keepToken('abc');
    renderApp('/admin');
    await waitFor(() => expect(headers.length).toBeGreaterThan(2));
    expect(headers.slice(1).every((header) => header === 'Bearer test-token')).toBe(true);
  });
});

describe('access denied', () => {
  it('says why and what to do, and leads home', async () => {
    new FakeApi();
    const { user, router } = renderApp('/access-denied?reason=email_unverified', { signedIn: false });
    expect(await screen.findByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
    expect(screen.getByText('Admin Access Required')).toBeVisible();
    for (const text of [
      /not authorized/u,
      /Contact the administrator/u,
      /right Google account/u,
      /in the admin list/u,
      /is not verified/u,
    ]) {
      expect(screen.getByText(text)).toBeVisible();
    }
    await user.click(screen.getByRole('button', { name: 'Back to Home' }));
    expect(router.state.location.pathname).toBe('/');
  });

  it('names the account that was refused, masked', async () => {
    new FakeApi();
    renderApp('/access-denied?reason=not_admin&email=so***y%40example.com', { signedIn: false });
    expect(await screen.findByText('You signed in as so***y@example.com.')).toBeVisible();
  });

  it.each(['whole@example.com', 'Call 0900 now', 'a***@example.com/x', `a***@${'x'.repeat(300)}`])(
    'repeats nothing that a link makes up (%#)',
    async (email) => {
      new FakeApi();
      renderApp(`/access-denied?reason=not_admin&email=${encodeURIComponent(email)}`, { signedIn: false });
      expect(await screen.findByText(/is not in the admin list/u)).toBeVisible();
      expect(screen.queryByText(/You signed in as/u)).toBeNull();
    },
  );
});
