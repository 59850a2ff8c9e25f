import type { FailureKind, Side } from '@autoposter/domain';

/** One row of the platform's error list: what it means for us and what to do. `subcode` null = every other subcode of the code. */
export interface GraphErrorRow {
  code: number | null;
  subcode: number | null;
  kind: FailureKind;
  side: Side;
  message: string;
  nextAction: string;
  /** Seconds before which another try is pointless. */
  retryAfterSeconds?: number;
}

const RETRIED = 'It is tried again by itself.';
const RECONNECT = 'Create a new access token and set INSTAGRAM_ACCESS_TOKEN.';
const REENCODE = 'Process the post again; if it fails again, use another file.';
const REACHABLE = 'Check that CDN_BASE_URL can be reached from the internet without login.';
const REPORT = 'This is a fault of Autoposter; look at the details of this failure.';
const PAUSE = 'Nothing to do; publishing goes on when the limit has passed.';
const HOUR = 3600;

const row = (
  code: number | null,
  subcode: number | null,
  kind: FailureKind,
  message: string,
  nextAction: string,
  retryAfterSeconds?: number,
): GraphErrorRow => {
  const side: Side = kind === 'not_authorised' ? 'operator' : kind === 'invalid_input' ? 'ours' : 'instagram';
  return { code, subcode, kind, side, message, nextAction, retryAfterSeconds };
};

/**
 * Rows of the kinds `not_authorised` and `policy` speak of the whole account: they stop all publishing until a person has acted.
 * Codes of the Graph API for publishing: Meta's error-codes reference of 2 June 2026, with subcodes reported from the field. The
 * subcodes without a code appear only in the free text of a failed container.
 */
export const GRAPH_ERRORS: readonly GraphErrorRow[] = [
  row(-2, 2207003, 'transient', 'Instagram took too long to download the media.', RETRIED),
  row(-2, 2207020, 'transient', 'The uploaded media expired.', 'A new upload is made by itself.'),
  row(-1, 2207001, 'transient', 'Instagram had an internal error.', RETRIED, 120),
  row(-1, 2207032, 'transient', 'Instagram could not create the media.', RETRIED),
  row(-1, 2207053, 'transient', 'The upload to Instagram failed.', 'A new upload is made by itself.'),
  row(1, 2207057, 'invalid_input', 'The cover position lies outside the video.', REPORT),
  row(
    4,
    2207051,
    'policy',
    'Instagram suspects spam and blocks publishing.',
    'Look at the account, wait some hours and publish less often; then resume publishing.',
    6 * HOUR,
  ),
  row(9, 2207042, 'quota_exceeded', 'The daily number of posts at Instagram is used up.', PAUSE, HOUR),
  row(24, 2207006, 'not_found', 'Instagram does not find the uploaded media.', 'Check the access token; a new upload is made by a retry.'),
  row(24, 2207008, 'transient', 'The upload is missing or expired at Instagram.', RETRIED, 60),
  row(
    25,
    2207050,
    'policy',
    'The Instagram account is inactive or restricted.',
    'Sign in at Instagram and clear what it asks for; then resume publishing.',
  ),
  row(100, 2207023, 'invalid_input', 'Instagram does not know this kind of media.', REPORT),
  row(100, 2207028, 'invalid_input', 'A carousel needs 2 to 10 files.', 'Use a post with 2 to 10 files.'),
  row(100, 2207035, 'invalid_input', 'Instagram refused the product tags.', REPORT),
  row(100, 2207036, 'invalid_input', 'Instagram refused the product tags.', REPORT),
  row(100, 2207037, 'invalid_input', 'Instagram refused the product tags.', REPORT),
  row(100, 2207040, 'invalid_input', 'The caption has too many mentions or tags.', 'Shorten the caption to at most 20 mentions.'),
  row(
    100,
    33,
    'not_found',
    'Instagram does not know this object, or the token may not see it.',
    'Check INSTAGRAM_BUSINESS_ACCOUNT_ID and the token.',
  ),
  row(
    110,
    2207013,
    'not_offered',
    'This account is unknown, private or not a professional one.',
    'Post it by hand in the Instagram app, with the consent of its owner.',
  ),
  row(352, 2207026, 'unsupported_media', 'Instagram does not support this video format.', REENCODE),
  row(9004, 2207052, 'transient', 'Instagram could not fetch the media from its address.', REACHABLE, 120),
  row(9007, null, 'transient', 'The upload is not ready to be published.', RETRIED, 20),
  row(36000, null, 'too_large', 'The picture is larger than Instagram takes (8 MiB).', REENCODE),
  row(36001, null, 'unsupported_media', 'Instagram does not support this picture format.', REENCODE),
  row(36003, null, 'unsupported_media', 'The picture is too tall or too wide for Instagram.', REENCODE),
  row(
    36004,
    null,
    'invalid_input',
    'The caption is too long for Instagram or has too many hashtags.',
    'Shorten the caption to 2,200 characters and remove hashtags.',
  ),
  row(null, 2207076, 'unsupported_media', 'Instagram could not process this video.', REENCODE),
  row(null, 2207085, 'unsupported_media', 'Instagram could not process this video.', REENCODE),
  row(null, 2207083, 'unsupported_media', 'Instagram does not support this picture format.', REENCODE),
  row(null, 2207077, 'transient', 'Instagram could not download the video.', REACHABLE, 120),
  row(null, 2207081, 'invalid_input', 'This account may not publish trial reels.', REPORT),
  row(null, 2207082, 'transient', 'The upload to Instagram failed.', RETRIED),
  row(190, 458, 'not_authorised', 'The account has removed this application.', RECONNECT),
  row(
    190,
    459,
    'not_authorised',
    'Instagram asks the account to sign in first.',
    'Sign in at Instagram or Facebook, then create a new access token.',
  ),
  row(190, 460, 'not_authorised', 'The password of the account was changed.', RECONNECT),
  row(190, 463, 'not_authorised', 'The Instagram access token has expired.', RECONNECT),
  row(190, 464, 'not_authorised', 'The account is not confirmed.', 'Confirm the account, then create a new access token.'),
  row(
    190,
    492,
    'not_authorised',
    'The user has no role on the Facebook Page.',
    'Give the user a role on the Page, then create a new access token.',
  ),
  row(190, null, 'not_authorised', 'The Instagram access token is not valid.', RECONNECT),
  row(102, null, 'not_authorised', 'The session at Instagram has ended.', RECONNECT),
  row(
    104,
    null,
    'not_authorised',
    'Instagram rejected the signature of the application.',
    'Check INSTAGRAM_APP_ID and INSTAGRAM_APP_SECRET.',
  ),
  row(10, null, 'not_authorised', 'The token lacks a permission.', 'Create a token with the permission to publish content.'),
  row(3, null, 'not_authorised', 'The application may not use this call.', 'Check the capabilities of the application at Meta.'),
  row(1, null, 'transient', 'Instagram had an unknown error.', RETRIED),
  row(2, null, 'transient', 'Instagram is not available for a moment.', RETRIED),
  row(4, null, 'rate_limited', 'The application has called Instagram too often.', PAUSE, HOUR),
  row(17, null, 'rate_limited', 'The account has called Instagram too often.', PAUSE, HOUR),
  row(32, null, 'rate_limited', 'The Page has called Instagram too often.', PAUSE, HOUR),
  row(613, null, 'rate_limited', 'Instagram asks for a pause.', PAUSE, HOUR),
  row(80001, null, 'rate_limited', 'The Page has called Instagram too often.', PAUSE, HOUR),
  row(80002, null, 'rate_limited', 'The account has called Instagram too often.', PAUSE, HOUR),
  row(
    368,
    null,
    'policy',
    'Instagram blocks the account for breaking its rules.',
    'Look at the account and clear what it asks for; then resume publishing.',
  ),
  row(506, null, 'conflict', 'Instagram already has this very post.', 'Look at the account before trying again.'),
  row(100, null, 'invalid_input', 'Instagram did not accept a value.', REPORT),
];

/** The row for a code and subcode: the exact pair, then a subcode reported without a code, then the code. `null` for an unknown one. */
export function findGraphError(code: number | null, subcode: number | null): GraphErrorRow | null {
  const exact = GRAPH_ERRORS.find((entry) => entry.code === code && entry.subcode === subcode && subcode !== null);
  const bySubcode = GRAPH_ERRORS.find((entry) => subcode !== null && subcode >= 2_200_000 && entry.subcode === subcode);
  return exact ?? bySubcode ?? GRAPH_ERRORS.find((entry) => code !== null && entry.code === code && entry.subcode === null) ?? null;
}
