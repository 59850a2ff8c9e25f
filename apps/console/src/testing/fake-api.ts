import { apiSamples, publishingRunningSample } from '@autoposter/contracts';

export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

type Reply = { status?: number; body: unknown } | ((asked: Asked) => { status?: number; body: unknown });

const FIRST: Record<string, unknown> = {
  'GET /api/auth/me': { success: true, user: apiSamples.auth.me.response.user },
  'GET /api/publishing': { success: true, data: publishingRunningSample },
  'GET /api/pipeline/overview': apiSamples.overview.overview.response,
  'GET /api/failures': { success: true, data: { unseen: 0, failures: [] } },
};

/** A server for tests: answers from the samples of the contracts, remembers what it was asked. */
export class FakeApi {
  readonly asked: Asked[] = [];
  private readonly held = new Set(['GET /api/events']);
  private readonly replies = new Map<string, Reply>();

  constructor() {
    for (const [call, body] of Object.entries(FIRST)) this.replies.set(call, { body });
    globalThis.fetch = ((address: string, init?: RequestInit) => this.answer(address, init)) as typeof fetch;
  }

  /** `call` is "GET /api/downloads", with `*` for an id. */
  on(call: string, body: unknown, status = 200): this {
    this.replies.set(call, { body, status });
    return this;
  }

  /** Like `on`, with the answer made from what was asked. */
  reply(call: string, reply: (asked: Asked) => { status?: number; body: unknown }): this {
    this.replies.set(call, reply);
    return this;
  }

  fail(call: string, error: string, status = 500): this {
    return this.on(call, { success: false, error, message: error, requestId: 'req-1' }, status);
  }

  /** Asks for this are never answered. */
  hold(call: string): this {
    this.held.add(call);
    return this;
  }

  calls(method: string, path: string): Asked[] {
    return this.asked.filter((asked) => asked.method === method && asked.path === path);
  }

  private answer(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, 'http://localhost');
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    this.asked.push(asked);
    const wild = asked.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/u, '*');
    const reply = this.replies.get(`${asked.method} ${asked.path}`) ?? this.replies.get(`${asked.method} ${wild}`);
    if (this.held.has(`${asked.method} ${asked.path}`)) return new Promise(() => undefined);
    const missing = { status: 404, body: { success: false, error: `Nothing at ${asked.path}`, message: '', requestId: 'req-0' } };
    const found = reply === undefined ? missing : typeof reply === 'function' ? reply(asked) : reply;
    const status = found.status ?? 200;
    return Promise.resolve({ ok: status < 400, status, body: null, json: () => Promise.resolve(found.body) } as Response);
  }
}
