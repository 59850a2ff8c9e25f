import { graphError, type GraphErrorName, type GraphErrorRow, graphResponse } from '../../instagram/graph-errors';
import { uploadFailed } from '../../instagram/upload.routes';
import { json } from '../../server/http';
import { EVERY_TIME, type Effect, htmlPage, LOST, presetsFor, type PresetTable } from './preset';

const create = presetsFor({ system: 'instagram-graph', method: 'POST', path: '^/(?:v[\\d.]+/)?\\d+/media(?:\\?|$)' });
const publish = presetsFor({ system: 'instagram-graph', method: 'POST', path: '^/(?:v[\\d.]+/)?\\d+/media_publish' });
const limit = presetsFor({ system: 'instagram-graph', method: 'GET', path: '/content_publishing_limit' });
const anyCall = presetsFor({ system: 'instagram-graph' });
const upload = presetsFor({ system: 'instagram-upload', method: 'POST' });

const named = (name: GraphErrorName): Effect => graphError(name).response;
const bare = (code: number, message: string, more: Partial<GraphErrorRow> = {}): Effect => graphResponse({ code, message, ...more });
const invalidToken = (subcode: number, reason: string): Effect =>
  bare(190, `Error validating access token: ${reason}`, { subcode, status: 401 });
const endsIn = (subcode: number) => create(`The container ends in ERROR ${subcode}.`, { behaviour: `container_error_${subcode}` });

export const INSTAGRAM_PRESETS: PresetTable = {
  // Container creation
  'instagram-create-timeout': create('The media took too long to download.', named('download_timeout')),
  'instagram-create-server-error': create('Creating a container fails with a server error.', named('server_error')),
  'instagram-create-unreachable': create('The media could not be fetched.', named('media_unreachable')),
  'instagram-create-lost': create('The container is created and the response is lost.', LOST),
  'instagram-create-option': create('A value is refused, such as an unknown collaborator.', bare(100, '(#100) Invalid parameter')),
  'instagram-create-location': create('The location is refused.', bare(100, '(#100) API__INVALID_LOCATION_ID')),
  'instagram-create-product-tags': create('The product tags are refused.', bare(100, 'Invalid parameter', { subcode: 2207035 })),
  'instagram-create-slow': create('Creating a container takes twelve seconds.', { delayMs: 12_000 }),
  // Container outcomes
  'instagram-container-unsupported': endsIn(2207026),
  'instagram-container-unprocessable': endsIn(2207076),
  'instagram-container-download-failed': endsIn(2207077),
  'instagram-container-upload-failed': endsIn(2207082),
  'instagram-container-field-error': endsIn(2207085),
  'instagram-container-trial-reel': endsIn(2207081),
  'instagram-container-slow': create('The container stays IN_PROGRESS for ten minutes.', { behaviour: 'container_slow' }),
  'instagram-container-forgotten': create('The container is created and not found any more.', { behaviour: 'container_forgotten' }),
  'instagram-create-token-dies': create('The container is created and the token is revoked.', { behaviour: 'token_dies' }),
  'instagram-copyright-match': create('The copyright check finds a match.', { behaviour: 'copyright_match' }),
  'instagram-copyright-running': create('The copyright check does not come to an end.', { behaviour: 'copyright_in_progress' }),
  'instagram-copyright-not-started': create('The copyright check does not start.', { behaviour: 'copyright_not_started' }),
  'instagram-copyright-error': create('The copyright check fails.', { behaviour: 'copyright_error' }),
  // Quota
  'instagram-limit-without-total': limit(
    'The publishing limit is told without its number.',
    json(200, { data: [{ quota_usage: 2 }] }),
    EVERY_TIME,
  ),
  // Publishing
  'instagram-publish-lost': publish('The post is published and the connection closes before the response.', LOST),
  'instagram-publish-lost-500': publish('The post is published and the response is an HTML page with status 500.', {
    ...htmlPage(500),
    when: 'after',
  }),
  'instagram-publish-lost-html': publish('The post is published and the response is an HTML page with status 200.', {
    ...htmlPage(200),
    when: 'after',
  }),
  'instagram-publish-lost-429': publish('The post is published and the edge answers with status 429.', { ...htmlPage(429), when: 'after' }),
  'instagram-publish-lost-transient': publish('The post is published and the response is a transient error.', {
    ...bare(2, 'An unexpected error has occurred. Please retry your request later.', { status: 503, transient: true }),
    when: 'after',
  }),
  'instagram-publish-lost-limit': publish('The post is published and the response is a rate limit with another subcode.', {
    ...bare(4, 'Application request limit reached', { status: 403, subcode: 2207090 }),
    when: 'after',
  }),
  'instagram-publish-lost-spam': publish('The post is published and the response suspects spam.', { ...named('spam'), when: 'after' }),
  'instagram-publish-lost-id': publish('The post is published and the response has no id.', { status: 200, body: {}, when: 'after' }),
  'instagram-publish-late': publish('The connection closes and the post is published ten minutes later.', {
    ...LOST,
    behaviour: 'publish_late_600',
  }),
  'instagram-publish-forgotten': publish('The post is published, the response is lost and the container is not found any more.', {
    ...LOST,
    behaviour: 'container_forgotten',
  }),
  'instagram-publish-token-dies': publish('The post is published, and the token and the response are lost.', {
    ...LOST,
    behaviour: 'token_dies',
  }),
  'instagram-publish-slow': publish('Publishing takes fifteen seconds and succeeds.', { when: 'after', delayMs: 15_000 }),
  'instagram-publish-cut': publish('The connection closes and nothing is published.', { cut: true }),
  'instagram-publish-lags': publish(
    'Publishing is refused as not ready although the container is FINISHED.',
    { behaviour: 'publish_lags' },
    { times: 3 },
  ),
  'instagram-publish-container-missing': publish('The container is temporarily reported as missing.', named('container_missing')),
  'instagram-publish-quota': publish('The daily publishing quota is used up.', named('publish_quota')),
  'instagram-publish-duplicate': publish('The post is reported as a duplicate.', bare(506, 'Duplicate status message')),
  // Account, spam, tokens
  'instagram-spam': publish('The account is restricted as suspected of spam.', named('spam')),
  'instagram-restricted': anyCall('The account is inactive, checkpointed or restricted.', named('account_restricted')),
  'instagram-policy-block': publish(
    'The account is blocked for policy.',
    bare(368, 'The action attempted has been deemed abusive or is otherwise disallowed', { status: 403 }),
  ),
  'instagram-permission': anyCall('The permission to publish is missing.', named('no_permission')),
  'instagram-token-expired': anyCall(
    'The session has expired.',
    invalidToken(463, 'Session has expired on Monday, 02-Nov-26 08:00:00 PST. The current time is Monday, 02-Nov-26 09:12:44 PST.'),
  ),
  'instagram-token-app-removed': anyCall('The owner has removed the app.', invalidToken(458, 'The user has not authorized application.')),
  'instagram-token-checkpoint': anyCall(
    'The account owner must complete a checkpoint.',
    invalidToken(459, 'The user is enrolled in a blocking, logged-in checkpoint.'),
  ),
  'instagram-token-password': anyCall(
    'The password has been changed.',
    invalidToken(460, 'The session has been invalidated because the user changed their password.'),
  ),
  'instagram-token-invalid': anyCall('The token is invalid.', invalidToken(467, 'The session is invalid.')),
  // Rate limits and outages
  'instagram-rate-app': anyCall(
    'The rate limit of the app is exceeded.',
    bare(4, '(#4) Application request limit reached', { status: 403 }),
  ),
  'instagram-rate-user': anyCall('The rate limit of the user is exceeded.', bare(17, '(#17) User request limit reached')),
  'instagram-rate-page': anyCall('The rate limit of the page is exceeded.', bare(32, '(#32) Page request limit reached')),
  'instagram-rate-custom': anyCall('A custom rate limit is exceeded.', bare(613, '(#613) Calls to this api have exceeded the rate limit.')),
  'instagram-rate-business': anyCall('The rate limit of the business use case is exceeded.', named('usage_limit')),
  'instagram-429': anyCall('The edge answers with status 429 and an HTML page.', htmlPage(429)),
  'instagram-unknown': anyCall(
    'An unknown transient error.',
    bare(1, 'An unknown error occurred', { status: 500, transient: true, subcode: 99 }),
  ),
  'instagram-unavailable': anyCall('The service is temporarily unavailable.', bare(2, 'Service temporarily unavailable', { status: 503 })),
  'instagram-500-html': anyCall('An HTML page with status 500.', htmlPage(500)),
  'instagram-html': anyCall('An HTML page with status 200.', htmlPage(200)),
  'instagram-slow': anyCall('The response takes twelve seconds.', { delayMs: 12_000 }),
  'instagram-cut': anyCall('The connection closes before the response.', { cut: true }),
  // Resumable upload
  'instagram-upload-refused': upload('The upload is refused.', uploadFailed(401, 'unauthorized user request')),
  'instagram-upload-cut': upload('The upload arrives and the response is lost.', LOST),
  'instagram-upload-half': upload('Half of the upload is kept, then it breaks off.', { behaviour: 'keep_half' }),
  'instagram-upload-stalls': upload('Nothing of the upload is kept, and it breaks off.', { behaviour: 'keep_none' }, { times: 3 }),
};
