import { HTML_PAGE, preset, type PresetTable } from '../faults';
import { INSTAGRAM_PRESETS } from './instagram.presets';
import { GEMINI_PRESETS, GROQ_PRESETS } from './llm.presets';
import { MEDIA_PRESETS, REDDIT_PRESETS } from './reddit.presets';

const token = { system: 'google' as const, method: 'POST', path: '^/(?:token|oauth2/v4/token)', times: 1 };
const profile = { system: 'google' as const, path: '/userinfo', times: 1 };
const consent = { system: 'google' as const, path: '^/o/oauth2/v2/auth', times: 1 };

const GOOGLE_PRESETS: PresetTable = {
  'google-token-500': preset('The token endpoint returns an HTML page with status 500.', token, { status: 500, body: HTML_PAGE }),
  'google-token-503': preset('The token endpoint is unavailable.', token, { status: 503, body: { error: 'temporarily_unavailable' } }),
  'google-token-invalid-grant': preset('The code is rejected.', token, {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Bad Request' },
  }),
  'google-token-slow': preset('The token endpoint takes eight seconds.', token, { delayMs: 8_000 }),
  'google-token-hang': preset('The token endpoint does not respond for ten minutes.', token, { delayMs: 600_000 }),
  'google-token-cut': preset('The code is redeemed and the response is lost.', token, { when: 'after', cut: true }),
  'google-userinfo-401': preset('The userinfo endpoint rejects the token.', profile, {
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
    body: { error: 'invalid_request', error_description: 'Invalid Credentials' },
  }),
  'google-userinfo-slow': preset('The userinfo endpoint takes eight seconds.', profile, { delayMs: 8_000 }),
  'google-admin-policy': preset('The policy of the organisation blocks the sign-in; no redirect follows.', consent, {
    status: 400,
    body: HTML_PAGE,
  }),
};

/** All named faults. */
export const PRESETS: PresetTable = {
  ...REDDIT_PRESETS,
  ...MEDIA_PRESETS,
  ...INSTAGRAM_PRESETS,
  ...GEMINI_PRESETS,
  ...GROQ_PRESETS,
  ...GOOGLE_PRESETS,
};
