import { GRAPH_ERRORS, type GraphErrorName, type GraphErrorRow } from '../../instagram/graph-errors';
import { HTML_PAGE, preset, type Preset, type PresetTable } from '../faults';

const CREATE = '^/(?:v[\\d.]+/)?\\d+/media(?:\\?|$)';
const PUBLISH = '^/(?:v[\\d.]+/)?\\d+/media_publish';
const graph = (path?: string, method?: string) => ({
  system: 'instagram-graph' as const,
  times: 1,
  ...(path ? { path } : {}),
  ...(method ? { method } : {}),
});

/** A preset that responds with an error of the table. */
function answers(about: string, row: GraphErrorRow, match: Preset['fault']['match'], when: 'before' | 'after' = 'before'): Preset {
  const subcode = row.subcode === undefined ? {} : { error_subcode: row.subcode, is_transient: row.transient ?? false };
  const texts = { ...(row.title ? { error_user_title: row.title.en } : {}), ...(row.text ? { error_user_msg: row.text.en } : {}) };
  const error = {
    message: row.message,
    type: row.type ?? 'OAuthException',
    code: row.code,
    ...subcode,
    ...texts,
    fbtrace_id: 'AsimulatedFaultTrace00',
  };
  const headers: Record<string, string> =
    row.code === 190 ? { 'www-authenticate': `OAuth "Facebook Platform" "invalid_token" "${row.message}"` } : {};
  return { about, fault: { match, when, status: row.status ?? 400, headers, body: { error } } };
}

const named = (name: GraphErrorName): GraphErrorRow => GRAPH_ERRORS[name];
const bare = (code: number, message: string, more: Partial<GraphErrorRow> = {}): GraphErrorRow => ({ code, message, ...more });
const invalidToken = (subcode: number, message: string): GraphErrorRow => bare(190, message, { subcode, status: 401 });

export const INSTAGRAM_PRESETS: PresetTable = {
  // Container creation
  'instagram-create-timeout': answers('The media took too long to download.', named('download_timeout'), graph(CREATE, 'POST')),
  'instagram-create-server-error': answers('Creating a container fails with a server error.', named('server_error'), graph(CREATE, 'POST')),
  'instagram-create-unreachable': answers('The media could not be fetched.', named('media_unreachable'), graph(CREATE, 'POST')),
  'instagram-create-lost': preset('The container is created and the response is lost.', graph(CREATE, 'POST'), {
    when: 'after',
    cut: true,
  }),
  'instagram-create-slow': preset('Creating a container takes twelve seconds.', graph(CREATE, 'POST'), { delayMs: 12_000 }),
  // Container outcomes
  'instagram-container-unsupported': preset('The container ends in ERROR 2207026.', graph(CREATE, 'POST'), {
    behaviour: 'container_error_2207026',
  }),
  'instagram-container-unprocessable': preset('The container ends in ERROR 2207076.', graph(CREATE, 'POST'), {
    behaviour: 'container_error_2207076',
  }),
  'instagram-container-download-failed': preset('The container ends in ERROR 2207077.', graph(CREATE, 'POST'), {
    behaviour: 'container_error_2207077',
  }),
  'instagram-container-upload-failed': preset('The container ends in ERROR 2207082.', graph(CREATE, 'POST'), {
    behaviour: 'container_error_2207082',
  }),
  'instagram-container-field-error': preset('The container ends in ERROR 2207085.', graph(CREATE, 'POST'), {
    behaviour: 'container_error_2207085',
  }),
  'instagram-container-slow': preset('The container stays IN_PROGRESS for ten minutes.', graph(CREATE, 'POST'), {
    behaviour: 'container_slow',
  }),
  'instagram-copyright-match': preset('The copyright check finds a match.', graph(CREATE, 'POST'), { behaviour: 'copyright_match' }),
  // Publishing
  'instagram-publish-lost': preset('The post is published and the connection closes before the response.', graph(PUBLISH, 'POST'), {
    when: 'after',
    cut: true,
  }),
  'instagram-publish-lost-500': preset('The post is published and the response is an HTML page with status 500.', graph(PUBLISH, 'POST'), {
    when: 'after',
    status: 500,
    body: HTML_PAGE,
  }),
  'instagram-publish-lost-transient': answers(
    'The post is published and the response is a transient error.',
    bare(2, 'An unexpected error has occurred. Please retry your request later.', { status: 503, transient: true }),
    graph(PUBLISH, 'POST'),
    'after',
  ),
  'instagram-publish-slow': preset('Publishing takes fifteen seconds and succeeds.', graph(PUBLISH, 'POST'), {
    when: 'after',
    delayMs: 15_000,
  }),
  'instagram-publish-cut': preset('The connection closes and nothing is published.', graph(PUBLISH, 'POST'), { when: 'before', cut: true }),
  'instagram-publish-lags': preset(
    'Publishing is refused as not ready although the container is FINISHED.',
    { ...graph(PUBLISH, 'POST'), times: 3 },
    { behaviour: 'publish_lags' },
  ),
  'instagram-publish-container-missing': answers(
    'The container is temporarily reported as missing.',
    named('container_missing'),
    graph(PUBLISH, 'POST'),
  ),
  'instagram-publish-quota': answers('The daily publishing quota is used up.', named('publish_quota'), graph(PUBLISH, 'POST')),
  'instagram-publish-duplicate': answers(
    'The post is reported as a duplicate.',
    bare(506, 'Duplicate status message'),
    graph(PUBLISH, 'POST'),
  ),
  // Account, spam, tokens
  'instagram-spam': answers('The account is restricted as suspected of spam.', named('spam'), graph(PUBLISH, 'POST')),
  'instagram-restricted': answers('The account is inactive, checkpointed or restricted.', named('account_restricted'), graph()),
  'instagram-policy-block': answers(
    'The account is blocked for policy.',
    bare(368, 'The action attempted has been deemed abusive or is otherwise disallowed', { status: 403 }),
    graph(PUBLISH, 'POST'),
  ),
  'instagram-permission': answers('The permission to publish is missing.', named('no_permission'), graph()),
  'instagram-token-expired': answers(
    'The session has expired.',
    invalidToken(
      463,
      'Error validating access token: Session has expired on Monday, 02-Nov-26 08:00:00 PST. The current time is Monday, 02-Nov-26 09:12:44 PST.',
    ),
    graph(),
  ),
  'instagram-token-app-removed': answers(
    'The owner has removed the app.',
    invalidToken(458, 'Error validating access token: The user has not authorized application.'),
    graph(),
  ),
  'instagram-token-checkpoint': answers(
    'The account owner must complete a checkpoint.',
    invalidToken(459, 'Error validating access token: The user is enrolled in a blocking, logged-in checkpoint.'),
    graph(),
  ),
  'instagram-token-password': answers(
    'The password has been changed.',
    invalidToken(460, 'Error validating access token: The session has been invalidated because the user changed their password.'),
    graph(),
  ),
  'instagram-token-invalid': answers(
    'The token is invalid.',
    invalidToken(467, 'Error validating access token: The session is invalid.'),
    graph(),
  ),
  // Rate limits and outages
  'instagram-rate-app': answers(
    'The rate limit of the app is exceeded.',
    bare(4, '(#4) Application request limit reached', { status: 403 }),
    graph(),
  ),
  'instagram-rate-user': answers('The rate limit of the user is exceeded.', bare(17, '(#17) User request limit reached'), graph()),
  'instagram-rate-page': answers('The rate limit of the page is exceeded.', bare(32, '(#32) Page request limit reached'), graph()),
  'instagram-rate-custom': answers(
    'A custom rate limit is exceeded.',
    bare(613, '(#613) Calls to this api have exceeded the rate limit.'),
    graph(),
  ),
  'instagram-rate-business': answers('The rate limit of the business use case is exceeded.', named('usage_limit'), graph()),
  'instagram-unknown': answers(
    'An unknown transient error.',
    bare(1, 'An unknown error occurred', { status: 500, transient: true, subcode: 99 }),
    graph(),
  ),
  'instagram-unavailable': answers(
    'The service is temporarily unavailable.',
    bare(2, 'Service temporarily unavailable', { status: 503 }),
    graph(),
  ),
  'instagram-500-html': preset('An HTML page with status 500.', graph(), { status: 500, body: HTML_PAGE }),
  'instagram-slow': preset('The response takes twelve seconds.', graph(), { delayMs: 12_000 }),
  'instagram-cut': preset('The connection closes before the response.', graph(), { cut: true }),
  // Resumable upload
  'instagram-upload-refused': preset(
    'The upload is refused.',
    { system: 'instagram-upload', method: 'POST', times: 1 },
    {
      status: 401,
      body: {
        debug_info: {
          retriable: false,
          type: 'ProcessingFailedError',
          message: '{"success":false,"error":{"message":"unauthorized user request"}}',
        },
      },
    },
  ),
  'instagram-upload-cut': preset(
    'The upload arrives and the response is lost.',
    { system: 'instagram-upload', method: 'POST', times: 1 },
    { when: 'after', cut: true },
  ),
  'instagram-upload-half': preset(
    'Half of the upload is kept, then it breaks off.',
    { system: 'instagram-upload', method: 'POST', times: 1 },
    { behaviour: 'keep_half' },
  ),
};
