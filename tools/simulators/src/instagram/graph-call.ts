import { createHmac } from 'node:crypto';
import { bearerOf, formOf, header, jsonOf, type SimRequest } from '../server/sim-request';
import { graphRefusal } from './graph-refusal';
import type { GraphCall, InstagramParts } from './instagram-parts';

/** v20.0 and older have ended and are served as the oldest living one. */
const NEWEST = 26;

/** Splits `/v25.0/17…/media` into version and parts. */
export function splitPath(path: string): { version: string; parts: string[] } {
  const parts = path.split('/').filter((part) => part !== '');
  const version = /^v(\d+)\.\d+$/.exec(parts[0] ?? '');
  if (!version) return { version: `v${NEWEST}.0`, parts };
  if (Number(version[1]) > NEWEST) throw graphRefusal('unknown_path', { path: `/${parts.join('/')}` });
  return { version: parts[0] ?? '', parts: parts.slice(1) };
}

/** Parameters come in the query, as a form or as JSON; the token also as `Authorization: Bearer`. */
export function paramsOf(request: SimRequest): Map<string, string> {
  const params = new Map<string, string>(request.query);
  for (const [name, value] of formOf(request)) params.set(name, value);
  if ((header(request, 'content-type') ?? '').includes('application/json')) {
    const body = jsonOf(request);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw graphRefusal('bad_param', { what: 'Invalid JSON body' });
    for (const [name, value] of Object.entries(body)) params.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return params;
}

/** A call with its token. A proof of the app's secret need not be there, but has to be right. */
export function graphCall(request: SimRequest, version: string, { tokens, settings, app }: InstagramParts): GraphCall {
  const params = paramsOf(request);
  const token = tokens.require(params.get('access_token') ?? bearerOf(request));
  const proof = params.get('appsecret_proof');
  if (proof !== undefined && proof !== createHmac('sha256', app.secret).update(token.value).digest('hex')) throw graphRefusal('bad_proof');
  return { params, token, version, language: settings.language, behaviours: request.behaviours };
}
