import { apiSamples, type ErrorCode, publishingRunningSample } from '@autoposter/contracts';

export interface RecordedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

type Reply = { status?: number; body: unknown } | ((request: RecordedRequest) => { status?: number; body: unknown });

const DEFAULT_REPLIES: Record<string, unknown> = {
  'GET /api/auth/me': { success: true, user: apiSamples.auth.me.response.user },
  'GET /api/publishing': { success: true, data: publishingRunningSample },
  'GET /api/pipeline/overview': apiSamples.overview.overview.response,
  'GET /api/instagram-accounts': { success: true, data: { accounts: [], logins: [], connection: null } },
  'GET /api/failures': { success: true, data: { unseen: 0, failures: [] } },
};

/** Replaces `fetch`: responds with contract samples or configured replies, and records requests. */
export class FakeApi {
  readonly requests: RecordedRequest[] = [];
  private readonly held = new Set(['GET /api/events']);
  private readonly replies = new Map<string, Reply>();

  constructor() {
    for (const [call, body] of Object.entries(DEFAULT_REPLIES)) this.replies.set(call, { body });
    globalThis.fetch = ((address: string, init?: RequestInit) => this.answer(address, init)) as typeof fetch;
  }

  /** `call` is for example "GET /api/downloads/*", where `*` matches an id. */
  on(call: string, body: unknown, status = 200): this {
    this.replies.set(call, { body, status });
    return this;
  }

  /** Like `on`, with a reply computed from the request. */
  reply(call: string, reply: (request: RecordedRequest) => { status?: number; body: unknown }): this {
    this.replies.set(call, reply);
    return this;
  }

  fail(call: string, error: string, status = 500, code?: ErrorCode): this {
    return this.on(call, { success: false, error, message: error, requestId: 'req-1', code }, status);
  }

  /** Requests for this never receive a response. */
  hold(call: string): this {
    this.held.add(call);
    return this;
  }

  calls(method: string, path: string): RecordedRequest[] {
    return this.requests.filter((request) => request.method === method && request.path === path);
  }

  private answer(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, 'http://localhost');
    const request: RecordedRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    this.requests.push(request);
    const wild = request.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/u, '*');
    const reply = this.replies.get(`${request.method} ${request.path}`) ?? this.replies.get(`${request.method} ${wild}`);
    if (this.held.has(`${request.method} ${request.path}`)) return new Promise(() => undefined);
    const missing = { status: 404, body: { success: false, error: `Nothing at ${request.path}`, message: '', requestId: 'req-0' } };
    const found = reply === undefined ? missing : typeof reply === 'function' ? reply(request) : reply;
    const status = found.status ?? 200;
    return Promise.resolve({
      ok: status < 400,
      status,
      headers: new Map() as unknown as Headers,
      body: null,
      json: () => Promise.resolve(found.body),
    } as Response);
  }
}
