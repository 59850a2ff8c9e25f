import { HASHTAG_LIMIT } from '@autoposter/contracts';
import * as read from './readers';
import type { VariableGroup } from './variable';

/** The account of the environment, the apps that connect further accounts, and the origins of the platform. */
export const INSTAGRAM_VARIABLES = {
  INSTAGRAM_ACCESS_TOKEN: {
    schema: read.headerText(),
    meaning: 'Long-lived token of the professional account; without it publishing is "not configured".',
    source: 'https://developers.facebook.com/apps, product Instagram',
    secret: true,
  },
  INSTAGRAM_BUSINESS_ACCOUNT_ID: {
    schema: read.text(),
    meaning: 'Id of that account.',
    source: 'https://developers.facebook.com/apps, product Instagram',
  },
  INSTAGRAM_LOGIN_FLAVOUR: {
    schema: read.oneOfOrNone(['instagram', 'facebook']),
    meaning: "Login that created the token; derived from the token's prefix when empty.",
  },
  INSTAGRAM_APP_ID: {
    schema: read.text(),
    meaning:
      'App of Instagram Login; connects accounts through it. Also the app of a token of Facebook Login while FACEBOOK_APP_ID is empty.',
  },
  INSTAGRAM_APP_SECRET: { schema: read.text(), meaning: 'Secret of that app.', secret: true },
  FACEBOOK_APP_ID: {
    schema: read.text(),
    meaning:
      'App of Facebook Login: connects accounts through it, reads the expiry of its tokens and signs calls with them; INSTAGRAM_APP_ID when empty and the token is from Facebook Login.',
  },
  FACEBOOK_APP_SECRET: { schema: read.text(), meaning: 'Secret of that app.', secret: true },
  INSTAGRAM_LOGIN_URL: {
    schema: read.originOr('https://www.instagram.com'),
    meaning: 'Origin of the Instagram Login page.',
  },
  INSTAGRAM_TOKEN_URL: {
    schema: read.originOr('https://api.instagram.com'),
    meaning: 'Origin that exchanges the code of Instagram Login for a token.',
  },
  FACEBOOK_LOGIN_URL: {
    schema: read.originOr('https://www.facebook.com'),
    meaning: 'Origin of the Facebook Login page.',
  },
  INSTAGRAM_GRAPH_URL: {
    schema: read.originOrNone(),
    meaning: 'Origin of the Graph API; derived from INSTAGRAM_LOGIN_FLAVOUR when empty.',
  },
  INSTAGRAM_UPLOAD_URL: {
    schema: read.originOr('https://rupload.facebook.com'),
    meaning: 'Origin of the resumable upload.',
  },
  INSTAGRAM_API_VERSION: { schema: read.graphVersion('v26.0'), meaning: 'Version of the Graph API, as in its paths.' },
  INSTAGRAM_HASHTAG_LIMIT: {
    schema: read.wholeNumber(HASHTAG_LIMIT.max, 0, HASHTAG_LIMIT.highest),
    meaning: `Maximum hashtags per post; Instagram accepts at most ${HASHTAG_LIMIT.max} since ${HASHTAG_LIMIT.since}.`,
    source: HASHTAG_LIMIT.source,
  },
} as const satisfies VariableGroup;
