import { blocked, errorResponse, notFound, tooManyJson, unauthorized } from '../../reddit/client-access';
import { html, json } from '../../server/http';
import { EVERY_TIME, htmlPage, presetsFor, type PresetTable } from './preset';

const token = presetsFor({ system: 'reddit-auth', method: 'POST', path: '^/api/v1/access_token' });
const api = presetsFor({ system: 'reddit-api' });
const listing = presetsFor({ system: 'reddit-api', path: '^/r/([^/?]+)/(?:hot|new|top|rising|controversial)' });

export const REDDIT_PRESETS: PresetTable = {
  'reddit-token-rejected': token(
    'The client id or secret is refused, as after a revoked approval.',
    errorResponse(401, 'Unauthorized'),
    EVERY_TIME,
  ),
  'reddit-token-200-error': token(
    'The token endpoint responds with status 200, an error and no token.',
    json(200, { error: 'invalid_grant' }),
  ),
  'reddit-token-429': token('Too many token requests.', tooManyJson()),
  'reddit-token-expired': api('The bearer token is invalid; a new one works.', unauthorized()),
  'reddit-429-html': api(
    'Rate limited, HTML page, with retry-after.',
    html(429, '<!doctype html><html><head><title>Too Many Requests</title></head></html>', { 'retry-after': '4' }),
  ),
  'reddit-429-json': api('Rate limited, JSON, without retry-after.', tooManyJson()),
  'reddit-429-empty': api('Rate limited, empty 403 with retry-after.', { status: 403, headers: { 'retry-after': '5' } }),
  'reddit-blocked': api('The edge blocks the client with an HTML page.', blocked()),
  'reddit-forbidden': api('The token lacks the permission.', errorResponse(403, 'Forbidden')),
  'reddit-private': listing('The community has become private.', errorResponse(403, 'Forbidden', { reason: 'private' })),
  'reddit-banned': listing('The community has been banned.', errorResponse(404, 'Not Found', { reason: 'banned' })),
  'reddit-unknown-404': listing('An unknown community returns 404 instead of a redirect.', notFound()),
  'reddit-bad-request': api(
    'A bad request with a reason.',
    errorResponse(400, 'Bad Request', { fields: ['after'], explanation: 'invalid value', reason: 'BAD_REQUEST' }),
  ),
  'reddit-legal': api('Not available for legal reasons.', { status: 451 }),
  'reddit-500': api('Server error as JSON.', errorResponse(500, 'Internal Server Error')),
  'reddit-503-empty': api('Unavailable, without a body.', { status: 503 }),
  'reddit-504-html': api('Gateway time-out as a page.', htmlPage(504)),
  'reddit-520': api('The non-standard status 520 of a CDN.', { status: 520 }),
  'reddit-garbled': listing('Status 200 with truncated JSON.', {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"Listing","data":{"after":',
  }),
  'reddit-empty-listing': listing(
    'An adult community returns an empty listing without an error.',
    json(200, { kind: 'Listing', data: { after: null, dist: 0, modhash: null, geo_filter: '', children: [], before: null } }),
  ),
  'reddit-slow': api('The response takes twelve seconds.', { delayMs: 12_000 }),
  'reddit-cut': api('The connection closes before the response.', { cut: true }),
  'reddit-cut-middle': listing('The connection closes in the middle of the response.', { cut: 2_000 }),
};

const from = (path: string) => presetsFor({ system: 'media', method: 'GET', path });
const anyFile = from('^/(?:v|i|preview)\\.redd\\.it/');
const ofVideo = from('^/v\\.redd\\.it/');
const picture = from('^/i\\.redd\\.it/');
const videoTrack = from('^/v\\.redd\\.it/[^/]+/(?:DASH|CMAF)_\\d');
const manifest = from('^/v\\.redd\\.it/[^/]+/DASHPlaylist\\.mpd');
const soundTrack = from('^/v\\.redd\\.it/[^/]+/.*(?:audio|AUDIO)');
const DENIED = {
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
};

export const MEDIA_PRESETS: PresetTable = {
  'media-denied': ofVideo('A file of v.redd.it is denied, as after a deletion.', DENIED),
  'media-manifest-gone': manifest('The manifest is denied; the files are available.', DENIED),
  'media-sound-gone': soundTrack('The sound track is missing.', { status: 403 }),
  'media-404': picture('A picture has been removed.', htmlPage(404)),
  'media-500': anyFile('The CDN returns status 500.', { status: 500 }),
  'media-cut': videoTrack('The connection closes after 20 kB of a download.', { cut: 20_000 }),
  'media-short-length': anyFile('A file is truncated to 30 %, with the matching content length.', {
    truncate: { share: 0.3, length: 'short' },
  }),
  'media-no-length': anyFile('A file is truncated to 30 %, without a content length.', { truncate: { share: 0.3, length: 'none' } }),
  'media-closing': anyFile('A complete file without a content length.', { truncate: { share: 1, length: 'none' } }),
  'media-removed-picture': picture('The small placeholder of a removed picture, with status 200.', { behaviour: 'removed-picture' }),
  'media-slow': anyFile('A download starts after eight seconds.', { delayMs: 8_000 }),
  'media-lies': videoTrack('A video URL returns an HTML page with status 200.', {
    ...htmlPage(200),
    headers: { 'content-type': 'video/mp4' },
  }),
  'media-redirect-inside': anyFile('A download is redirected to an internal address.', {
    status: 302,
    headers: { location: 'http://169.254.169.254/latest/meta-data/' },
  }),
};
