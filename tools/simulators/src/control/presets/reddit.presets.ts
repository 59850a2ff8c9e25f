import { HTML_PAGE, preset, type PresetTable } from '../faults';

const LISTING = '^/r/([^/?]+)/(?:hot|new|top|rising|controversial)';
const once = (path?: string) => ({ system: 'reddit-api' as const, times: 1, ...(path ? { path } : {}) });
const token = { system: 'reddit-auth' as const, method: 'POST', path: '^/api/v1/access_token', times: 1 };

export const REDDIT_PRESETS: PresetTable = {
  'reddit-token-rejected': preset(
    'The client id or secret is refused, as after a revoked approval.',
    { ...token, times: undefined },
    { status: 401, body: { message: 'Unauthorized', error: 401 } },
  ),
  'reddit-token-200-error': preset('The token endpoint responds with status 200, an error and no token.', token, {
    status: 200,
    body: { error: 'invalid_grant' },
  }),
  'reddit-token-429': preset('Too many token requests.', token, { status: 429, body: { message: 'Too Many Requests', error: 429 } }),
  'reddit-token-expired': preset('The bearer token is invalid; a new one works.', once(), {
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="reddit", error="invalid_token"' },
    body: { message: 'Unauthorized', error: 401 },
  }),
  'reddit-429-html': preset('Rate limited, HTML page, with retry-after.', once(), {
    status: 429,
    headers: { 'retry-after': '4' },
    body: '<!doctype html><html><head><title>Too Many Requests</title></head></html>',
  }),
  'reddit-429-json': preset('Rate limited, JSON, without retry-after.', once(), {
    status: 429,
    body: { message: 'Too Many Requests', error: 429 },
  }),
  'reddit-429-empty': preset('Rate limited, empty 403 with retry-after.', once(), {
    status: 403,
    headers: { 'retry-after': '5' },
  }),
  'reddit-blocked': preset('The edge blocks the client with an HTML page.', once(), { status: 403, body: HTML_PAGE }),
  'reddit-forbidden': preset('The token lacks the permission.', once(), { status: 403, body: { message: 'Forbidden', error: 403 } }),
  'reddit-private': preset('The community has become private.', once(LISTING), {
    status: 403,
    body: { reason: 'private', message: 'Forbidden', error: 403 },
  }),
  'reddit-banned': preset('The community has been banned.', once(LISTING), {
    status: 404,
    body: { reason: 'banned', message: 'Not Found', error: 404 },
  }),
  'reddit-unknown-404': preset('An unknown community returns 404 instead of a redirect.', once(LISTING), {
    status: 404,
    body: { message: 'Not Found', error: 404 },
  }),
  'reddit-bad-request': preset('A bad request with a reason.', once(), {
    status: 400,
    body: { fields: ['after'], explanation: 'invalid value', message: 'Bad Request', reason: 'BAD_REQUEST' },
  }),
  'reddit-legal': preset('Not available for legal reasons.', once(), { status: 451 }),
  'reddit-500': preset('Server error as JSON.', once(), { status: 500, body: { message: 'Internal Server Error', error: 500 } }),
  'reddit-503-empty': preset('Unavailable, without a body.', once(), { status: 503 }),
  'reddit-504-html': preset('Gateway time-out as a page.', once(), { status: 504, body: HTML_PAGE }),
  'reddit-520': preset('The non-standard status 520 of a CDN.', once(), { status: 520 }),
  'reddit-garbled': preset('Status 200 with truncated JSON.', once(LISTING), {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"Listing","data":{"after":',
  }),
  'reddit-empty-listing': preset('An adult community returns an empty listing without an error.', once(LISTING), {
    status: 200,
    body: { kind: 'Listing', data: { after: null, dist: 0, modhash: null, geo_filter: '', children: [], before: null } },
  }),
  'reddit-slow': preset('The response takes twelve seconds.', once(), { delayMs: 12_000 }),
  'reddit-cut': preset('The connection closes before the response.', once(), { cut: true }),
  'reddit-cut-middle': preset('The connection closes in the middle of the response.', once(LISTING), { cut: 2_000 }),
};

const MEDIA_FILE = '^/(?:v|i|preview)\\.redd\\.it/';
const file = (path = MEDIA_FILE) => ({ system: 'media' as const, method: 'GET', path, times: 1 });

export const MEDIA_PRESETS: PresetTable = {
  'media-denied': preset('A file of v.redd.it is denied, as after a deletion.', file('^/v\\.redd\\.it/'), {
    status: 403,
    headers: { 'content-type': 'application/xml' },
    body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  }),
  'media-manifest-gone': preset('The manifest is denied; the files are available.', file('^/v\\.redd\\.it/[^/]+/DASHPlaylist\\.mpd'), {
    status: 403,
    headers: { 'content-type': 'application/xml' },
    body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  }),
  'media-sound-gone': preset('The sound track is missing.', file('^/v\\.redd\\.it/[^/]+/.*(?:audio|AUDIO)'), { status: 403 }),
  'media-404': preset('A picture has been removed.', file('^/i\\.redd\\.it/'), { status: 404, body: HTML_PAGE }),
  'media-500': preset('The CDN returns status 500.', file(), { status: 500 }),
  'media-cut': preset('The connection closes after 20 kB of a download.', file('^/v\\.redd\\.it/[^/]+/(?:DASH|CMAF)_\\d'), { cut: 20_000 }),
  'media-short-length': preset('A file is truncated to 30 %, with the matching content length.', file(), {
    truncate: { share: 0.3, length: 'short' },
  }),
  'media-no-length': preset('A file is truncated to 30 %, without a content length.', file(), { truncate: { share: 0.3, length: 'none' } }),
  'media-closing': preset('A complete file without a content length.', file(), { truncate: { share: 1, length: 'none' } }),
  'media-removed-picture': preset('The small placeholder of a removed picture, with status 200.', file('^/i\\.redd\\.it/'), {
    behaviour: 'removed-picture',
  }),
  'media-slow': preset('A download starts after eight seconds.', file(), { delayMs: 8_000 }),
  'media-lies': preset('A video URL returns an HTML page with status 200.', file('^/v\\.redd\\.it/[^/]+/(?:DASH|CMAF)_\\d'), {
    status: 200,
    headers: { 'content-type': 'video/mp4' },
    body: HTML_PAGE,
  }),
  'media-redirect-inside': preset('A download is redirected to an internal address.', file(), {
    status: 302,
    headers: { location: 'http://169.254.169.254/latest/meta-data/' },
  }),
};
