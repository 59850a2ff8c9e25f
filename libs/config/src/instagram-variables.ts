import { HASHTAG_LIMIT } from '@autoposter/contracts';
import * as read from './readers';
import type { VariableGroup } from './variable';

/** The account of the environment, the applications that connect others, and where the platform is. */
export const INSTAGRAM_VARIABLES = {
  INSTAGRAM_ACCESS_TOKEN: {
    schema: read.text(),
    meaning: 'Long-lived token of the professional account; without it publishing is "not configured".',
    defaultText: '',
    source: 'https://developers.facebook.com/apps, product Instagram',
    secret: true,
  },
  INSTAGRAM_BUSINESS_ACCOUNT_ID: { schema: read.text(), meaning: 'Id of that account.', defaultText: '', source: 'as above' },
  INSTAGRAM_LOGIN_FLAVOUR: {
    schema: read.oneOfOrNone(['instagram', 'facebook']),
    meaning: "Login that created the token; derived from the token's prefix when empty.",
    defaultText: '',
  },
  INSTAGRAM_APP_ID: {
    schema: read.text(),
    meaning: 'App behind the token; lets expiry be read and accounts be connected through Instagram Login.',
    defaultText: '',
  },
  INSTAGRAM_APP_SECRET: { schema: read.text(), meaning: 'Secret of that app.', defaultText: '', secret: true },
  FACEBOOK_APP_ID: {
    schema: read.text(),
    meaning: 'App that connects accounts through Facebook Login; with a token of Facebook Login INSTAGRAM_APP_ID when empty.',
    defaultText: '',
  },
  FACEBOOK_APP_SECRET: { schema: read.text(), meaning: 'Secret of that app.', defaultText: '', secret: true },
  INSTAGRAM_LOGIN_URL: {
    schema: read.originOr('https://www.instagram.com'),
    meaning: 'Origin of the page of Instagram Login.',
    defaultText: 'https://www.instagram.com',
  },
  INSTAGRAM_TOKEN_URL: {
    schema: read.originOr('https://api.instagram.com'),
    meaning: 'Origin that exchanges the code of Instagram Login for a token.',
    defaultText: 'https://api.instagram.com',
  },
  FACEBOOK_LOGIN_URL: {
    schema: read.originOr('https://www.facebook.com'),
    meaning: 'Origin of the page of Facebook Login.',
    defaultText: 'https://www.facebook.com',
  },
  INSTAGRAM_GRAPH_URL: {
    schema: read.originOrNone(),
    meaning: 'Origin of the Graph API; follows from the flavour when empty.',
    defaultText: '',
  },
  INSTAGRAM_UPLOAD_URL: {
    schema: read.originOr('https://rupload.facebook.com'),
    meaning: 'Origin of the resumable upload.',
    defaultText: 'https://rupload.facebook.com',
  },
  INSTAGRAM_API_VERSION: { schema: read.textOr('v26.0'), meaning: 'Version of the Graph API.', defaultText: 'v26.0' },
  INSTAGRAM_HASHTAG_LIMIT: {
    schema: read.wholeNumber(HASHTAG_LIMIT.max, 0, HASHTAG_LIMIT.highest),
    meaning: `Hashtags that a post may have; Instagram accepts at most ${HASHTAG_LIMIT.max} since ${HASHTAG_LIMIT.since}.`,
    defaultText: String(HASHTAG_LIMIT.max),
    source: HASHTAG_LIMIT.source,
  },
} as const satisfies VariableGroup;
