import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose';

interface SigningKey {
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  jwk: JWK;
}

export interface Account {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
}

/** Google's server-to-server endpoints, with code, PKCE and secret checks. */
export class FakeGoogle {
  account: Account = { sub: '42', email: 'Admin@Example.com ', email_verified: true, name: 'Ada' };
  /** Error responses of the endpoints. */
  tokenFails: { status: number; body: string } | null = null;
  userinfoFails: { status: number; body: string } | null = null;
  /** Overridden id token claims; `null` = no id token. */
  idToken: JWTPayload | null = {};
  /** `foreign` is a key that the issuer does not publish. */
  signedBy: 'own' | 'foreign' | 'none' = 'own';
  /** Overridden discovery document; `null` = none. */
  discovery: Record<string, unknown> | null = {};
  /** Status of the JSON Web Key Set. */
  keysStatus = 200;
  readonly tokenQueries: string[] = [];
  private readonly challenges = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    private readonly keys: Record<'own' | 'foreign', SigningKey>,
  ) {}

  static async start(): Promise<FakeGoogle> {
    const server = createServer();
    const google = new FakeGoogle(server, { own: await newKey(), foreign: await newKey() });
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
      issuerUrl: null,
    };
  }

  /** Simulates the user's consent; returns the query of the callback. */
  consent(authorizationUrl: string): string {
    const asked = new URL(authorizationUrl).searchParams;
    const code = `4/${this.challenges.size}`;
    this.challenges.set(code, asked.get('code_challenge') ?? '');
    return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.origin, scope: 'openid' }).toString();
  }

  /** Signs with a new key from now on and publishes only that one. */
  async rotateKeys(): Promise<void> {
    this.keys.own = await newKey('the-next-key');
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
    if (url.pathname === '/.well-known/openid-configuration') {
      if (this.discovery === null) return send(response, 503, '<html>');
      return send(response, 200, JSON.stringify({ ...this.document(), ...this.discovery }));
    }
    if (url.pathname === '/keys') return send(response, this.keysStatus, JSON.stringify({ keys: [this.keys.own.jwk] }));
    const form = new URLSearchParams(await bodyOf(request));
    if (this.tokenFails) return send(response, this.tokenFails.status, this.tokenFails.body);
    const code = form.get('code') ?? '';
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const good = this.challenges.get(code) === challenge && form.get('client_secret') === 'client-secret';
    this.challenges.delete(code);
    if (!good) return send(response, 400, '{"error":"invalid_grant"}');
    const answer = { access_token: 'ya29.token', token_type: 'Bearer', expires_in: 3599, id_token: await this.signed() };
    send(response, 200, JSON.stringify(answer));
  }

  private document() {
    const { origin } = this;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      userinfo_endpoint: `${origin}/userinfo`,
      jwks_uri: `${origin}/keys`,
    };
  }

  private async signed(): Promise<string | undefined> {
    if (this.idToken === null) return undefined;
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: this.origin, aud: 'client', sub: this.account.sub, iat: seconds, exp: seconds + 3600, ...this.idToken };
    if (this.signedBy === 'none') return new UnsecuredJWT(claims).encode();
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: this.keys.own.jwk.kid }).sign(this.keys[this.signedBy].privateKey);
  }
}

async function newKey(kid = 'the-key'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
