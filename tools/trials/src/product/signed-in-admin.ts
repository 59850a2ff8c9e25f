import { api } from '@autoposter/contracts';

export interface Addresses {
  /** Origin of the gateway as seen from the trial. */
  gateway: string;
  /** Origin of the simulated Google as seen from the trial. */
  google: string;
}

const EMAIL = 'admin@autoposter.local';
const MAX_REDIRECTS = 6;

export class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** An API client that signs in through Google's redirects like a browser. */
export class SignedInAdmin {
  private constructor(
    private readonly gateway: string,
    /** Bearer token of the session. */
    readonly token: string,
  ) {}

  /**
   * Follows the redirects of the sign-in, but sends each request to the origin that is reachable from the trial: inside a cluster the
   * gateway and Google know each other by other host names.
   */
  static async signIn({ gateway, google }: Addresses): Promise<SignedInAdmin> {
    const cookies = new Map<string, string>();
    let next = new URL(api.auth.signIn.path, gateway);
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: [...cookies.values()].join('; ') } });
      for (const cookie of response.headers.getSetCookie()) cookies.set(cookie.split('=')[0] ?? '', cookie.split(';')[0] ?? '');
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`sign-in failed at ${next.pathname}: ${response.status} ${(await response.text()).slice(0, 300)}`);
      const target = new URL(location, next);
      const token = target.searchParams.get('token');
      if (token !== null) return await SignedInAdmin.open(gateway, token, [...cookies.values()].join('; '));
      const toGoogle = target.pathname.startsWith('/o/oauth2/');
      next = new URL(target.pathname + target.search, toGoogle ? google : gateway);
      if (toGoogle) next.searchParams.set('choose', EMAIL);
    }
    throw new Error(`too many redirects during sign-in, last at ${next.pathname}`);
  }

  /** Exchanges the token of the redirect; this requires the cookie from the start of the sign-in. */
  private static async open(gateway: string, short: string, cookie: string): Promise<SignedInAdmin> {
    const { user, token } = await new SignedInAdmin(gateway, short).request<{ user: { email: string }; token?: string }>(
      'GET',
      api.auth.me.path,
      undefined,
      { cookie },
    );
    if (user.email !== EMAIL) throw new Error(`signed in as ${user.email}`);
    return new SignedInAdmin(gateway, token ?? short);
  }

  async request<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const response = await fetch(this.gateway + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new RefusedRequest(response.status, `${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}
