import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Account {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
}

/** Google's two endpoints that are called server to server, with the checks that matter. */
export class FakeGoogle {
  account: Account = { sub: '42', email: 'Admin@Example.com ', email_verified: true, name: 'Ada' };
  /** What goes wrong: the token endpoint's or the userinfo endpoint's own answer. */
  tokenFails: { status: number; body: string } | null = null;
  userinfoFails: { status: number; body: string } | null = null;
  readonly tokenQueries: string[] = [];
  private readonly challenges = new Map<string, string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeGoogle> {
    const server = createServer();
    const google = new FakeGoogle(server);
    server.on('request', (request, response) => void google.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return google;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get settings() {
    return {
      clientId: 'client',
      clientSecret: 'client-secret',
      authorizationUrl: `${this.origin}/authorize`,
      tokenUrl: `${this.origin}/token`,
      userinfoUrl: `${this.origin}/userinfo`,
    };
  }

  /** The person agrees: the query with which the browser comes back. */
  consent(authorizationUrl: string): string {
    const asked = new URL(authorizationUrl).searchParams;
    const code = `4/${this.challenges.size}`;
    this.challenges.set(code, asked.get('code_challenge') ?? '');
    return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: 'https://accounts.google.com', scope: 'openid' }).toString();
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    if (url.pathname === '/userinfo') {
      this.tokenQueries.push(url.search);
      const allowed = request.headers.authorization === 'Bearer ya29.token';
      if (this.userinfoFails) return send(response, this.userinfoFails.status, this.userinfoFails.body);
      return allowed ? send(response, 200, JSON.stringify(this.account)) : send(response, 401, '{"error":"invalid_request"}');
    }
    const form = new URLSearchParams(await bodyOf(request));
    if (this.tokenFails) return send(response, this.tokenFails.status, this.tokenFails.body);
    const code = form.get('code') ?? '';
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const good = this.challenges.get(code) === challenge && form.get('client_secret') === 'client-secret';
    this.challenges.delete(code);
    send(
      response,
      good ? 200 : 400,
      good ? '{"access_token":"ya29.token","token_type":"Bearer","expires_in":3599}' : '{"error":"invalid_grant"}',
    );
  }
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
