import { createHash } from 'node:crypto';
import { CREDENTIALS } from '../credentials';
import type { SimulatedClock } from '../server/clock';
import {
  type Handler,
  type SimResponse,
  basicOf,
  bearerOf,
  formOf,
  get,
  html,
  json,
  post,
  redirect,
  type Route,
  type SimRequest,
  text,
} from '../server/http';
import { type Simulation, system } from '../server/sim-server';
import { consentPage, errorPage } from './consent-page';
import { type AuthorizationRequest, GOOGLE_PEOPLE, type GooglePerson, GoogleState, SigningKey, verifierError } from './google-state';

const SCOPES: Readonly<Record<string, string>> = {
  openid: 'openid',
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};

interface GoogleParts {
  state: GoogleState;
  key: SigningKey;
  clock: SimulatedClock;
  people: readonly GooglePerson[];
  client: { id: string; secret: string };
  settings: GoogleSettings;
}

interface GoogleSettings {
  /** Registered redirect URIs; empty accepts every loopback URI. */
  redirectUris: string[];
  /** Email of an account that is signed in without the account chooser. */
  autoApprove: string | null;
  /** Defaults to the origin of the server. */
  issuer: string | null;
}

/** Serves accounts.google.com, oauth2.googleapis.com and openidconnect.googleapis.com on one origin. */
function googleRoutes(parts: GoogleParts): Route[] {
  const exchange: Handler = (request) => tokenExchange(parts, request);
  const profile: Handler = (request) => userinfo(parts, request);
  return [
    get('/o/oauth2/v2/auth', (request) => authorization(parts, request)),
    post('/token', exchange),
    post('/oauth2/v4/token', exchange),
    get('/v1/userinfo', profile),
    post('/v1/userinfo', profile),
    get('/oauth2/v3/userinfo', profile),
    get('/oauth2/v3/certs', () => json(200, { keys: [parts.key.jwk] }, { 'cache-control': 'public, max-age=22540' })),
    get('/a/picture', (request) => picture(parts, request)),
    post('/revoke', (request) => revoke(parts, request)),
    get('/.well-known/openid-configuration', ({ origin }) => json(200, discovery(issuerOf(parts, origin), origin))),
  ];
}

function issuerOf({ settings }: GoogleParts, origin: string): string {
  return settings.issuer ?? origin;
}

function ownPage(code: string, text: string): SimResponse {
  return html(400, errorPage(code, text));
}

function authorization(parts: GoogleParts, { query, origin }: SimRequest): SimResponse {
  if (query.get('client_id') !== parts.client.id) return ownPage('invalid_client', 'The OAuth client was not found.');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRegistered(parts.settings, redirectUri))
    return ownPage('redirect_uri_mismatch', "You can't sign in because this app sent an invalid request.");
  if (query.get('response_type') !== 'code') return ownPage('unsupported_response_type', 'Only the code flow is simulated.');
  const scopes = (query.get('scope') ?? '').split(/\s+/).filter((scope) => scope !== '');
  if (scopes.length === 0) return ownPage('invalid_request', 'Missing required parameter: scope');
  if (scopes.some((scope) => !(scope in SCOPES) && !Object.values(SCOPES).includes(scope)))
    return ownPage('invalid_scope', 'Some requested scopes were invalid.');
  const challenge = challengeOf(query);
  if (challenge === 'bad') return ownPage('invalid_request', 'Invalid code_challenge.');
  const request: AuthorizationRequest = {
    clientId: parts.client.id,
    redirectUri,
    scopes,
    state: query.get('state'),
    nonce: query.get('nonce'),
    challenge,
    offline: query.get('access_type') === 'offline',
  };
  if (query.has('deny')) return back(request, { error: 'access_denied' });
  const person = chosen(parts, query);
  if (!person && query.get('prompt') === 'none') return back(request, { error: 'interaction_required' });
  if (!person) return html(200, consentPage(parts.people.map(toChoice), query), { 'cache-control': 'no-store' });
  const long = scopes.map((scope) => SCOPES[scope] ?? scope).filter((scope) => scope !== 'openid');
  return back(request, {
    iss: issuerOf(parts, origin),
    code: parts.state.grant(request, person),
    scope: [...scopes.filter((scope) => scope in SCOPES), ...long].join(' '),
    authuser: '0',
    ...(person.hostedDomain ? { hd: person.hostedDomain } : {}),
    prompt: query.get('prompt') === 'none' ? 'none' : 'consent',
  });
}

const toChoice = ({ name, email, note }: GooglePerson) => ({ value: email, title: name ?? email, detail: `${email} · ${note}` });

/**
 * The account chosen on the page or selected automatically. `login_hint` selects an account only with `prompt=none`, where it means
 * an open session.
 */
function chosen({ people, settings }: GoogleParts, query: URLSearchParams): GooglePerson | null {
  const silent = query.get('prompt') === 'none' ? query.get('login_hint') : null;
  const email = query.get('choose') ?? settings.autoApprove ?? silent;
  return email === null ? null : (people.find((person) => person.email === email) ?? null);
}

function isRegistered({ redirectUris }: GoogleSettings, uri: string): boolean {
  if (redirectUris.length > 0) return redirectUris.includes(uri);
  try {
    const { protocol, hostname, hash } = new URL(uri);
    return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) && hash === '';
  } catch {
    return false;
  }
}

function challengeOf(query: URLSearchParams): AuthorizationRequest['challenge'] | 'bad' {
  const value = query.get('code_challenge');
  if (value === null) return null;
  const method = query.get('code_challenge_method') ?? 'plain';
  return (method === 'S256' || method === 'plain') && /^[A-Za-z0-9\-._~]{43,128}$/.test(value) ? { value, method } : 'bad';
}

function back({ redirectUri, state }: AuthorizationRequest, params: Record<string, string>): SimResponse {
  const target = new URL(redirectUri);
  if (state !== null) target.searchParams.set('state', state);
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value);
  return redirect(302, target.toString());
}

function tokenExchange(parts: GoogleParts, request: SimRequest): SimResponse {
  const form = formOf(request);
  const basic = basicOf(request);
  const id = basic ? decodeURIComponent(basic.user) : form.get('client_id');
  const secret = basic ? decodeURIComponent(basic.password) : form.get('client_secret');
  const fail = (status: number, error: string, description: string): SimResponse => json(status, { error, error_description: description });
  if (id !== parts.client.id) return fail(401, 'invalid_client', 'The OAuth client was not found.');
  if (secret !== parts.client.secret) return fail(401, 'invalid_client', 'Unauthorized');
  if (form.get('grant_type') !== 'authorization_code')
    return fail(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
  const code = form.get('code');
  if (code === null) return fail(400, 'invalid_request', 'Missing required parameter: code');
  if (!code.startsWith('4/')) return fail(400, 'invalid_grant', 'Malformed auth code.');
  const grant = parts.state.redeem(code);
  if (!grant) return fail(400, 'invalid_grant', 'Bad Request');
  if (form.get('redirect_uri') !== grant.request.redirectUri) return fail(400, 'redirect_uri_mismatch', 'Bad Request');
  const pkce = verifierError(grant.request.challenge, form.get('code_verifier'));
  if (pkce) return fail(400, 'invalid_grant', pkce);
  const scopes = grant.request.scopes;
  const access = parts.state.issueToken(grant.person, scopes);
  return json(200, {
    access_token: access,
    expires_in: 3599,
    scope: scopes.map((scope) => SCOPES[scope] ?? scope).join(' '),
    token_type: 'Bearer',
    ...(scopes.includes('openid')
      ? { id_token: parts.key.sign({ ...idClaims(parts, request.origin, grant.person, grant.request), at_hash: hashOf(access) }) }
      : {}),
    ...(grant.request.offline ? { refresh_token: `1//0sim-${access.slice(5, 60)}` } : {}),
  });
}

/** The `at_hash` claim: left half of the access token's SHA-256. */
function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

function idClaims(parts: GoogleParts, origin: string, person: GooglePerson, request: AuthorizationRequest): Record<string, unknown> {
  const now = parts.clock.seconds();
  return {
    iss: issuerOf(parts, origin),
    azp: request.clientId,
    aud: request.clientId,
    ...profileOf(person, request.scopes, origin),
    ...(request.nonce === null ? {} : { nonce: request.nonce }),
    iat: now,
    exp: now + 3600,
  };
}

function profileOf(person: GooglePerson, scopes: readonly string[], origin: string): Record<string, unknown> {
  const has = (scope: string): boolean => scopes.includes(scope) || scopes.includes(SCOPES[scope] ?? '');
  const [given, ...family] = (person.name ?? '').split(' ');
  return {
    sub: person.sub,
    ...(has('profile') && person.name
      ? {
          name: person.name,
          given_name: given,
          ...(family.length > 0 ? { family_name: family.join(' ') } : {}),
          picture: `${origin}/a/picture?of=${person.sub}`,
        }
      : {}),
    ...(has('email') ? { email: person.email, email_verified: person.verified } : {}),
    ...(person.hostedDomain ? { hd: person.hostedDomain } : {}),
  };
}

/** Generated locally, so that browsers send no request to Google. */
function picture({ people }: GoogleParts, { query }: SimRequest): SimResponse {
  const person = people.find(({ sub }) => sub === query.get('of'));
  if (person === undefined) return text(404, 'Not found');
  const initials = (person.name ?? person.email)
    .split(/[ @.]/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  const style = 'font-family="sans-serif" font-size="38" fill="#fff" text-anchor="middle"';
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#4a5d8f"/><text x="48" y="61" ${style}>${initials}</text></svg>`;
  return { status: 200, headers: { 'content-type': 'image/svg+xml' }, body };
}

function userinfo(parts: GoogleParts, request: SimRequest): SimResponse {
  const held = parts.state.holder(bearerOf(request) ?? request.query.get('access_token'));
  return held ? json(200, profileOf(held.person, held.scopes, request.origin)) : INVALID_CREDENTIALS;
}

export const INVALID_CREDENTIALS = json(
  401,
  { error: 'invalid_request', error_description: 'Invalid Credentials' },
  { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
);

function revoke({ state }: GoogleParts, request: SimRequest): SimResponse {
  const token = formOf(request).get('token') ?? request.query.get('token') ?? '';
  return state.revoke(token) ? json(200, {}) : json(400, { error: 'invalid_token', error_description: 'Token expired or revoked' });
}

function discovery(issuer: string, origin: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${origin}/o/oauth2/v2/auth`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/v1/userinfo`,
    revocation_endpoint: `${origin}/revoke`,
    jwks_uri: `${origin}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: ['aud', 'email', 'email_verified', 'exp', 'family_name', 'given_name', 'iat', 'iss', 'name', 'picture', 'sub'],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** `redirectUris`: initially registered redirect URIs; empty accepts every loopback URI. */
export function simulateGoogle(clock: SimulatedClock, redirectUris: readonly string[]): Simulation<GoogleSettings> {
  const defaults = (): GoogleSettings => ({ redirectUris: [...redirectUris], autoApprove: null, issuer: null });
  const settings = defaults();
  const client = { id: CREDENTIALS.googleClientId, secret: CREDENTIALS.googleClientSecret };
  const routes = googleRoutes({ state: new GoogleState(clock), key: new SigningKey(), clock, people: GOOGLE_PEOPLE, client, settings });
  return { settings, systems: [system('google', routes)], reset: () => void Object.assign(settings, defaults()) };
}
