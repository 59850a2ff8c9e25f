import { HTML_PAGE, type PresetTable } from '../faults';

const LISTING = '^/r/([^/?]+)/(?:hot|new|top|rising|controversial)';
const once = (path?: string) => ({ system: 'reddit-api' as const, times: 1, ...(path ? { path } : {}) });
const token = { system: 'reddit-auth' as const, method: 'POST', path: '^/api/v1/access_token', times: 1 };

export const REDDIT_PRESETS: PresetTable = {
  'reddit-token-rejected': {
    about: 'The client id or secret is refused, as after a revoked approval.',
    fault: { match: { ...token, times: undefined }, status: 401, body: { message: 'Unauthorized', error: 401 } },
  },
  'reddit-token-200-error': {
    about: 'The token endpoint answers 200 with an error and no token.',
    fault: { match: token, status: 200, body: { error: 'invalid_grant' } },
  },
  'reddit-token-429': {
    about: 'Too many token requests.',
    fault: { match: token, status: 429, body: { message: 'Too Many Requests', error: 429 } },
  },
  'reddit-token-expired': {
    about: 'A bearer token stops being valid; the next one works.',
    fault: {
      match: once(),
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="reddit", error="invalid_token"' },
      body: { message: 'Unauthorized', error: 401 },
    },
  },
  'reddit-429-html': {
    about: 'Rate limited, as a page, with retry-after.',
    fault: {
      match: once(),
      status: 429,
      headers: { 'retry-after': '4' },
      body: '<!doctype html><html><head><title>Too Many Requests</title></head></html>',
    },
  },
  'reddit-429-json': {
    about: 'Rate limited, as JSON, without retry-after.',
    fault: { match: once(), status: 429, body: { message: 'Too Many Requests', error: 429 } },
  },
  'reddit-429-empty': {
    about: 'Rate limited with an empty 403 that carries retry-after.',
    fault: { match: once(), status: 403, headers: { 'retry-after': '5' } },
  },
  'reddit-blocked': { about: 'The edge blocks the client with a page.', fault: { match: once(), status: 403, body: HTML_PAGE } },
  'reddit-forbidden': {
    about: 'The token may not do this.',
    fault: { match: once(), status: 403, body: { message: 'Forbidden', error: 403 } },
  },
  'reddit-private': {
    about: 'The community has become private.',
    fault: { match: once(LISTING), status: 403, body: { reason: 'private', message: 'Forbidden', error: 403 } },
  },
  'reddit-banned': {
    about: 'The community has been banned.',
    fault: { match: once(LISTING), status: 404, body: { reason: 'banned', message: 'Not Found', error: 404 } },
  },
  'reddit-unknown-404': {
    about: 'An unknown community as 404 instead of a redirect.',
    fault: { match: once(LISTING), status: 404, body: { message: 'Not Found', error: 404 } },
  },
  'reddit-bad-request': {
    about: 'Bad input, told with a reason.',
    fault: {
      match: once(),
      status: 400,
      body: { fields: ['after'], explanation: 'invalid value', message: 'Bad Request', reason: 'BAD_REQUEST' },
    },
  },
  'reddit-legal': { about: 'Not available for legal reasons.', fault: { match: once(), status: 451 } },
  'reddit-500': {
    about: 'Server error as JSON.',
    fault: { match: once(), status: 500, body: { message: 'Internal Server Error', error: 500 } },
  },
  'reddit-503-empty': { about: 'Unavailable, without a body.', fault: { match: once(), status: 503 } },
  'reddit-504-html': { about: 'Gateway time-out as a page.', fault: { match: once(), status: 504, body: HTML_PAGE } },
  'reddit-520': { about: 'The odd status of a content network.', fault: { match: once(), status: 520 } },
  'reddit-garbled': {
    about: 'Status 200 and JSON that ends too early.',
    fault: {
      match: once(LISTING),
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"kind":"Listing","data":{"after":',
    },
  },
  'reddit-empty-listing': {
    about: 'An adult community whose listing comes back empty and without an error.',
    fault: {
      match: once(LISTING),
      status: 200,
      body: { kind: 'Listing', data: { after: null, dist: 0, modhash: null, geo_filter: '', children: [], before: null } },
    },
  },
  'reddit-slow': { about: 'The response takes twelve seconds.', fault: { match: once(), delayMs: 12_000 } },
  'reddit-cut': { about: 'The connection is dropped before the response.', fault: { match: once(), cut: true } },
  'reddit-cut-middle': { about: 'The connection is dropped in the middle of the response.', fault: { match: once(LISTING), cut: 2_000 } },
};

const MEDIA_FILE = '^/(?:v|i|preview)\\.redd\\.it/';
const file = (path = MEDIA_FILE) => ({ system: 'media' as const, method: 'GET', path, times: 1 });

export const MEDIA_PRESETS: PresetTable = {
  'media-denied': {
    about: 'A file of v.redd.it is refused, as after a deletion.',
    fault: {
      match: file('^/v\\.redd\\.it/'),
      status: 403,
      headers: { 'content-type': 'application/xml' },
      body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    },
  },
  'media-manifest-gone': {
    about: 'The manifest cannot be had; the files can.',
    fault: {
      match: file('^/v\\.redd\\.it/[^/]+/DASHPlaylist\\.mpd'),
      status: 403,
      headers: { 'content-type': 'application/xml' },
      body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    },
  },
  'media-sound-gone': {
    about: 'The sound track is missing.',
    fault: { match: file('^/v\\.redd\\.it/[^/]+/.*(?:audio|AUDIO)'), status: 403 },
  },
  'media-404': { about: 'A picture has been removed.', fault: { match: file('^/i\\.redd\\.it/'), status: 404, body: HTML_PAGE } },
  'media-500': { about: 'The content network fails.', fault: { match: file(), status: 500 } },
  'media-cut': {
    about: 'A download breaks off after 20 kB.',
    fault: { match: file('^/v\\.redd\\.it/[^/]+/(?:DASH|CMAF)_\\d'), cut: 20_000 },
  },
  'media-short-length': {
    about: 'A file ends after 30 % of its bytes, with a length that says so.',
    fault: { match: file(), truncate: { share: 0.3, length: 'short' } },
  },
  'media-no-length': {
    about: 'A file ends after 30 % of its bytes, without a length.',
    fault: { match: file(), truncate: { share: 0.3, length: 'none' } },
  },
  'media-closing': {
    about: 'A whole file without a length, ended by the connection.',
    fault: { match: file(), truncate: { share: 1, length: 'none' } },
  },
  'media-removed-picture': {
    about: 'The small placeholder of a removed picture, with status 200.',
    fault: { match: file('^/i\\.redd\\.it/'), behaviour: 'removed-picture' },
  },
  'media-slow': { about: 'A download starts after eight seconds.', fault: { match: file(), delayMs: 8_000 } },
  'media-lies': {
    about: 'A video address answers with a page and status 200.',
    fault: {
      match: file('^/v\\.redd\\.it/[^/]+/(?:DASH|CMAF)_\\d'),
      status: 200,
      headers: { 'content-type': 'video/mp4' },
      body: HTML_PAGE,
    },
  },
  'media-redirect-inside': {
    about: 'A download is redirected to an address inside the network.',
    fault: { match: file(), status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
  },
};
