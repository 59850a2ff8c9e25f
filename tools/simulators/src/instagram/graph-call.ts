import { createHmac } from 'node:crypto';
import type { MediaLibrary } from '../media/media-library';
import type { SimulatedClock } from '../server/clock';
import { bearerOf, formOf, header, jsonOf, type ResponseError, type SimRequest } from '../server/http';
import type { RequestWindow } from '../server/limits';
import type { AccessToken, AccessTokens } from './access-tokens';
import { graphError, type GraphErrorName, type Language } from './graph-errors';
import type { InstagramSettings, InstagramState } from './instagram-state';
import type { MediaInspector } from './media-inspector';

interface InstagramAccount {
  id: string;
  /** The `id` of `/me` under Instagram Login; not valid for publishing. */
  appScopedId: string;
  username: string;
  name: string;
  followers: number;
}

/** Dependencies of the handlers. */
export interface InstagramParts {
  /** The account of the token, once a request is authenticated; before that the first one. */
  account: InstagramAccount;
  accounts: readonly InstagramAccount[];
  tokens: AccessTokens;
  state: InstagramState;
  settings: InstagramSettings;
  inspector: Pick<MediaInspector, 'fetch' | 'keep'>;
  library: MediaLibrary;
  clock: SimulatedClock;
  app: { id: string; secret: string };
  /** Redeemed authorization codes. */
  usedCodes: Set<string>;
  mediaOrigin: () => string;
  uploadOrigin: () => string;
}

/** A request with its parameters merged from query, form and JSON body. */
export interface GraphCall {
  params: ReadonlyMap<string, string>;
  token: AccessToken;
  language: Language;
  behaviours: ReadonlySet<string>;
  version: string;
}

/** An error for this request, in the account's language. */
export const refusal = ({ language }: GraphCall, name: GraphErrorName, details?: Record<string, string>): ResponseError =>
  graphError(name, details, language);

export function requireParam(call: GraphCall, name: string): string {
  const value = call.params.get(name);
  if (value === undefined || value === '') throw graphError('bad_param', { what: `The parameter ${name} is required.` });
  return value;
}

/** Retired versions (v20.0 and older) are served as the oldest supported one. */
const NEWEST = 26;

/** Splits `/v26.0/17…/media` into version and segments. */
export function splitPath(path: string): { version: string; parts: string[] } {
  const parts = path.split('/').filter((part) => part !== '');
  const version = /^v(\d+)\.\d+$/.exec(parts[0] ?? '');
  if (!version) return { version: `v${NEWEST}.0`, parts };
  if (Number(version[1]) > NEWEST) throw graphError('unknown_path', { path: `/${parts.join('/')}` });
  return { version: parts[0] ?? '', parts: parts.slice(1) };
}

/** Parameters come from the query, a form or a JSON body. */
export function paramsOf(request: SimRequest): Map<string, string> {
  const params = new Map<string, string>(request.query);
  for (const [name, value] of formOf(request)) params.set(name, value);
  if ((header(request, 'content-type') ?? '').includes('application/json')) {
    const body = jsonOf(request);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw graphError('bad_param', { what: 'Invalid JSON body' });
    for (const [name, value] of Object.entries(body)) params.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return params;
}

/** Authenticates a request. `appsecret_proof` is optional unless the app requires it, but must be valid. */
export function graphCall(request: SimRequest, version: string, { tokens, settings, app }: InstagramParts): GraphCall {
  const params = paramsOf(request);
  const token = tokens.require(params.get('access_token') ?? bearerOf(request));
  const proof = params.get('appsecret_proof');
  if (proof === undefined && settings.requireProof && token.flavour === 'facebook') throw graphError('proof_required');
  if (proof !== undefined && proof !== createHmac('sha256', app.secret).update(token.value).digest('hex')) throw graphError('bad_proof');
  return { params, token, version, language: settings.language, behaviours: request.behaviours };
}

/** Requests of the last 24 hours in percent of the limit. */
export function usageHeaders({ used, leftMs }: RequestWindow, callsPerDay: number, accountId: string): Record<string, string> {
  const percent = Math.min(100, Math.ceil((used / callsPerDay) * 100));
  const usage = { call_count: percent, total_cputime: 0, total_time: percent };
  const regain = { type: 'instagram', estimated_time_to_regain_access: percent < 100 ? 0 : Math.ceil(leftMs / 60_000) };
  return {
    'x-app-usage': JSON.stringify(usage),
    'x-business-use-case-usage': JSON.stringify({ [accountId]: [{ ...usage, ...regain }] }),
  };
}
