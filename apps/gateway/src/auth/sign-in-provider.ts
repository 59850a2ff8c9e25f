import { Inject, Injectable } from '@nestjs/common';
import { objectIn, readJson } from '@autoposter/domain';
import { withoutSlash } from '@autoposter/resilience';
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { SignInError } from './sign-in.filter';

const TIMEOUT_MS = 10_000;
/** An issuer may rotate its keys right after we read them. One reload per second, so that forged key ids cannot flood it. */
const KEYS_COOLDOWN_MS = 1000;

interface ProviderAnswer {
  status: number;
  /** `null` for anything but a JSON object. */
  body: Record<string, unknown> | null;
}

/** One request to the identity provider, without redirects. */
export async function requestProvider(url: string, init: RequestInit): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const json = readJson(await response.text());
    return { status: response.status, body: json === undefined || Array.isArray(json) ? null : objectIn(json) };
  } catch (cause) {
    throw new SignInError('google_unreachable', 'Google did not respond in time.', { cause });
  }
}

interface Endpoints {
  authorizationUrl: string;
  tokenUrl: string;
  userinfoUrl: string;
  issuers: readonly string[];
  /** JWKS of a discovered issuer; `null` for configured endpoints. */
  keysUrl: string | null;
}

const DISCOVERY = '/.well-known/openid-configuration';
/** By which the issuer's clock may be ahead of ours where a token is not valid before it was issued; `subjectIn` checks the expiry exactly. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Asymmetric only: anyone who knows a shared secret could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * The identity provider: Google's endpoints as configured, or another OpenID Connect issuer whose endpoints are discovered at the first
 * sign-in. Throws `SignInError` if the issuer is unreachable or is not the configured one.
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

  /** Refuses a callback that names another issuer (RFC 9207). */
  async assertIssuer(iss: unknown): Promise<void> {
    if (iss === undefined) return;
    const { issuers } = await this.endpoints();
    if (!issuers.includes(String(iss))) throw new SignInError('sign_in_failed', 'The sign-in callback came from another issuer.');
  }

  /**
   * The account in an id token. The token comes from the token endpoint directly, so its claims are trusted; the signature is checked as
   * well if the issuer publishes keys. `null` without an id token, which only discovered issuers must return.
   */
  async subjectOf(idToken: string | null): Promise<string | null> {
    const { issuers, keysUrl } = await this.endpoints();
    if (idToken === null) {
      if (keysUrl === null) return null;
      throw new SignInError('sign_in_failed', 'The issuer returned no id token.');
    }
    const clientId = this.settings.google?.clientId ?? '';
    try {
      const claims = keysUrl === null ? decodeJwt(idToken) : await this.verified(idToken, keysUrl);
      return subjectIn(claims, issuers, clientId);
    } catch (cause) {
      if (cause instanceof SignInError) throw cause;
      throw new SignInError('sign_in_failed', 'The id token was refused: it is not from this issuer for this client.', { cause });
    }
  }

  private async verified(idToken: string, keysUrl: string): Promise<JWTPayload> {
    this.keys ??= createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUT_MS, cooldownDuration: KEYS_COOLDOWN_MS });
    try {
      return (await jwtVerify(idToken, this.keys, { algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_SECONDS })).payload;
    } catch (cause) {
      if (isAboutTheKeySet(cause)) throw new SignInError('google_unreachable', "The issuer's keys could not be read.", { cause });
      throw cause;
    }
  }
}

/** jose throws its base class for a key set that answers with an error, and what `fetch` throws for one that does not answer. */
const isAboutTheKeySet = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT'].includes(error.code);

function subjectIn({ iss, aud, azp, exp, sub }: JWTPayload, issuers: readonly string[], clientId: string): string {
  const audiences = [aud ?? []].flat();
  if (iss === undefined || !issuers.includes(iss)) throw new Error(`issued by ${iss ?? 'an unknown issuer'}`);
  if (!audiences.includes(clientId)) throw new Error('issued for another client');
  if ((audiences.length > 1 || azp !== undefined) && azp !== clientId) throw new Error('issued to another client');
  if (exp === undefined || exp * 1000 <= Date.now()) throw new Error('expired');
  if (sub === undefined || sub === '') throw new Error('without an account');
  return sub;
}

/** Google's older tokens name the issuer without a scheme. */
const GOOGLE_ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

/**
 * The server at the configured addresses may name Google or itself. Browsers may reach it under another host than this process, and both
 * are configured.
 */
function configured({ authorizationUrl, tokenUrl, userinfoUrl }: NonNullable<GatewaySettings['google']>): Endpoints {
  const itself = [authorizationUrl, tokenUrl].map((address) => new URL(address)).flatMap(({ origin, host }) => [origin, host]);
  return { authorizationUrl, tokenUrl, userinfoUrl, issuers: [...GOOGLE_ISSUERS, ...itself], keysUrl: null };
}

async function discover(issuerUrl: string): Promise<Endpoints> {
  const base = withoutSlash(issuerUrl);
  const { status, body } = await requestProvider(base + DISCOVERY, { headers: { accept: 'application/json' } });
  if (status !== 200 || body === null)
    throw new SignInError('google_unreachable', `The issuer's discovery document failed: HTTP ${status}.`);
  const issuer = String(body['issuer']);
  if (withoutSlash(issuer) !== base) throw new SignInError('sign_in_failed', 'The discovery document names another issuer.');
  const address = (name: string): string => {
    const text = String(body[name]);
    const safe = text.startsWith('https://') || (base.startsWith('http://') && text.startsWith('http://'));
    if (!safe || !URL.canParse(text)) throw new SignInError('sign_in_failed', `The discovery document has no usable ${name}.`);
    return text;
  };
  return {
    authorizationUrl: address('authorization_endpoint'),
    tokenUrl: address('token_endpoint'),
    userinfoUrl: address('userinfo_endpoint'),
    issuers: GOOGLE_ISSUERS.includes(issuer) ? GOOGLE_ISSUERS : [issuer],
    keysUrl: address('jwks_uri'),
  };
}
