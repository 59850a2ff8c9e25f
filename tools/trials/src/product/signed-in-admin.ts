import { api } from '@autoposter/contracts';

export interface Addresses {
  /** Where the gateway answers from here. */
  gateway: string;
  /** Where the simulated Google answers from here. */
  google: string;
}

const EMAIL = 'admin@autoposter.local';
const STEPS = 6;

/** An administrator without a browser: signs in as one would, then asks the API with the session. */
export class SignedInAdmin {
  private constructor(
    private readonly gateway: string,
    /** What goes into the header `Authorization` behind `Bearer`. */
    readonly token: string,
  ) {}

  /**
   * Follows the redirects of a sign-in. Each is asked at the address that leads there from here, whatever host the product and Google
   * know each other by.
   */
  static async signIn({ gateway, google }: Addresses): Promise<SignedInAdmin> {
    const cookies = new Map<string, string>();
    let next = new URL(api.auth.signIn.path, gateway);
    for (let step = 0; step < STEPS; step += 1) {
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie: [...cookies.values()].join('; ') } });
      for (const cookie of answer.headers.getSetCookie()) cookies.set(cookie.split('=')[0] ?? '', cookie.split(';')[0] ?? '');
      const location = answer.headers.get('location');
      if (location === null)
        throw new Error(`signing in stops at ${next.pathname}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
      const target = new URL(location, next);
      const token = target.searchParams.get('token');
      if (token !== null) return await SignedInAdmin.open(gateway, token, [...cookies.values()].join('; '));
      const toGoogle = target.pathname.startsWith('/o/oauth2/');
      next = new URL(target.pathname + target.search, toGoogle ? google : gateway);
      if (toGoogle) next.searchParams.set('choose', EMAIL);
    }
    throw new Error(`signing in goes round in circles, last at ${next.pathname}`);
  }

  /** Exchanges the token of the redirect, which only the browser in which the sign-in began may do: its cookie goes along. */
  private static async open(gateway: string, short: string, cookie: string): Promise<SignedInAdmin> {
    const { user, token } = await new SignedInAdmin(gateway, short).ask<{ user: { email: string }; token?: string }>(
      'GET',
      api.auth.me.path,
      undefined,
      { cookie },
    );
    if (user.email !== EMAIL) throw new Error(`signed in as ${user.email}`);
    return new SignedInAdmin(gateway, token ?? short);
  }

  async ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const answer = await fetch(this.gateway + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}
