import { INVALID_CREDENTIALS } from '../../google/google.routes';
import { json } from '../../server/http';
import { INSTAGRAM_PRESETS } from './instagram.presets';
import { GEMINI_PRESETS, GROQ_PRESETS } from './llm.presets';
import { htmlPage, LOST, presetsFor, type PresetTable } from './preset';
import { MEDIA_PRESETS, REDDIT_PRESETS } from './reddit.presets';

const token = presetsFor({ system: 'google', method: 'POST', path: '^/(?:token|oauth2/v4/token)' });
const profile = presetsFor({ system: 'google', path: '/userinfo' });
const consent = presetsFor({ system: 'google', path: '^/o/oauth2/v2/auth' });

const GOOGLE_PRESETS: PresetTable = {
  'google-token-500': token('The token endpoint returns an HTML page with status 500.', htmlPage(500)),
  'google-token-503': token('The token endpoint is unavailable.', json(503, { error: 'temporarily_unavailable' })),
  'google-token-invalid-grant': token('The code is rejected.', json(400, { error: 'invalid_grant', error_description: 'Bad Request' })),
  'google-token-slow': token('The token endpoint takes eight seconds.', { delayMs: 8_000 }),
  'google-token-hang': token('The token endpoint does not respond for ten minutes.', { delayMs: 600_000 }),
  'google-token-cut': token('The code is redeemed and the response is lost.', LOST),
  'google-userinfo-401': profile('The userinfo endpoint rejects the token.', INVALID_CREDENTIALS),
  'google-userinfo-slow': profile('The userinfo endpoint takes eight seconds.', { delayMs: 8_000 }),
  'google-admin-policy': consent('The policy of the organisation blocks the sign-in; no redirect follows.', htmlPage(400)),
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
