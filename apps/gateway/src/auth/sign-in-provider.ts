import { Inject, Injectable } from '@nestjs/common';
import { createRemoteJWKSet, decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { SignInError } from './sign-in-error';

const TIMEOUT_MS = 10_000;

interface ProviderAnswer {
  status: number;
  /** `null` where it is no JSON object. */
  body: Record<string, unknown> | null;
}

/** One call to where people sign in, within ten seconds and without following anybody elsewhere. */
export async function requestProvider(url: string, init: RequestInit): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    return { status: response.status, body: body as Record<string, unknown> | null };
  } catch (cause) {
    throw new SignInError('google_unreachable', 'Google did not answer in time.', { cause });
  }
}

/** Where people sign in, and under which names that place answers for them. */
interface Endpoints {
  authorizationUrl: string;
  tokenUrl: string;
  userinfoUrl: string;
  issuers: readonly string[];
  /** Public keys of the issuer; `null` where its addresses were given one by one. */
  keysUrl: string | null;
}

const DISCOVERY = '/.well-known/openid-configuration';
/** Asymmetric ones only: with a shared secret whoever knows it could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Who says who somebody is: Google's endpoints as configured, or another OpenID Connect issuer, which is asked for its addresses once it
 * is needed. Throws `SignInError` where the issuer is away or is not the one that was configured.
 */
@Injectable()
export class SignInProvider {
  private discovered: Promise<Endpoints> | null = null;
  private keys: ReturnType<typeof createRemoteJWKSet> | null = null;

  constructor(@Inject(SETTINGS) private readonly settings: GatewaySettings) {}

  endpoints(): Promise<Endpoints> {
    const { google } = this.settings;
    if (google === null) throw new SignInError('not_configured', 'Sign-in with Google is not configured.');
    if (google.issuerUrl === null) return Promise.resolve(configured(google));
    return (this.discovered ??= discover(google.issuerUrl).catch((error: unknown) => {
      this.discovered = null;
      throw error;
    }));
  }

  /** Refuses an answer that another issuer gave, as far as it says whose it is (RFC 9207). */
  async assertAnswerOf(iss: unknown): Promise<void> {
    if (iss === undefined) return;
    const { issuers } = await this.endpoints();
    if (!issuers.includes(String(iss))) throw new SignInError('sign_in_failed', 'The answer of the sign-in came from another issuer.');
  }

  /**
   * The account that an id token speaks of. It came from the token endpoint itself, so that its claims are what counts; where the issuer
   * told its keys, the signature is checked, too. `null` without a token, which only an issuer of OpenID Connect has to give.
   */
  async subjectOf(idToken: string | null): Promise<string | null> {
    const { issuers, keysUrl } = await this.endpoints();
    if (idToken === null) {
      if (keysUrl === null) return null;
      throw new SignInError('sign_in_failed', 'The issuer gave no id token.');
    }
    const clientId = this.settings.google?.clientId ?? '';
    try {
      const claims = keysUrl === null ? decodeJwt(idToken) : await this.verified(idToken, keysUrl);
      return subjectIn(claims, issuers, clientId);
    } catch (cause) {
      throw new SignInError('sign_in_failed', 'The id token was refused: it is not from this issuer for this client.', { cause });
    }
  }

  private async verified(idToken: string, keysUrl: string): Promise<JWTPayload> {
    this.keys ??= createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: 10_000 });
    return (await jwtVerify(idToken, this.keys, { algorithms: ALGORITHMS })).payload;
  }
}

function subjectIn({ iss, aud, azp, exp, sub }: JWTPayload, issuers: readonly string[], clientId: string): string {
  const audiences = [aud ?? []].flat();
  if (iss === undefined || !issuers.includes(iss)) throw new Error(`issued by ${iss ?? 'nobody'}`);
  if (!audiences.includes(clientId)) throw new Error('made for another client');
  if ((audiences.length > 1 || azp !== undefined) && azp !== clientId) throw new Error('given to another client');
  if (exp === undefined || exp * 1000 <= Date.now()) throw new Error('expired');
  if (sub === undefined || sub === '') throw new Error('speaks of nobody');
  return sub;
}

/**
 * An issuer is named by its origin; Google's older tokens leave out the scheme. Browsers may know it by another host than this process,
 * and both were configured.
 */
function configured({ authorizationUrl, tokenUrl, userinfoUrl }: NonNullable<GatewaySettings['google']>): Endpoints {
  const issuers = [authorizationUrl, tokenUrl].map((address) => new URL(address)).flatMap(({ origin, host }) => [origin, host]);
  return { authorizationUrl, tokenUrl, userinfoUrl, issuers, keysUrl: null };
}

async function discover(issuerUrl: string): Promise<Endpoints> {
  const base = issuerUrl.replace(/(?<!\/)\/+$/u, '');
  const { status, body } = await requestProvider(base + DISCOVERY, { headers: { accept: 'application/json' } });
  if (status !== 200 || body === null) throw new SignInError('google_unreachable', `The issuer's discovery answered HTTP ${status}.`);
  const issuer = String(body['issuer']);
  if (issuer.replace(/(?<!\/)\/+$/u, '') !== base) throw new SignInError('sign_in_failed', 'The issuer calls itself by another name.');
  const address = (name: string): string => {
    const text = String(body[name]);
    const safe = text.startsWith('https://') || (base.startsWith('http://') && text.startsWith('http://'));
    if (!safe || !URL.canParse(text)) throw new SignInError('sign_in_failed', `The issuer tells no usable ${name}.`);
    return text;
  };
  return {
    authorizationUrl: address('authorization_endpoint'),
    tokenUrl: address('token_endpoint'),
    userinfoUrl: address('userinfo_endpoint'),
    issuers: [issuer],
    keysUrl: address('jwks_uri'),
  };
}
