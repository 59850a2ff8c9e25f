import { LOGIN_NAMES, type LoginFlavour } from '@autoposter/contracts';
import type { AccountReport } from './publisher.port';

/** Permissions that the login asks for. */
const SCOPES: Record<LoginFlavour, readonly string[]> = {
  instagram: [
    'instagram_business_basic',
    'instagram_business_content_publish',
    'instagram_business_manage_comments',
    'instagram_business_manage_insights',
  ],
  facebook: [
    'instagram_basic',
    'instagram_content_publish',
    'instagram_manage_comments',
    // removes published posts
    'instagram_manage_contents',
    'instagram_manage_insights',
    'pages_show_list',
    'pages_read_engagement',
  ],
};

/** Without these nothing can be published; a person may withhold the others. */
const NEEDED: Record<LoginFlavour, readonly string[]> = {
  instagram: ['instagram_business_basic', 'instagram_business_content_publish'],
  facebook: ['instagram_basic', 'instagram_content_publish', 'pages_show_list'],
};

export const missingScopes = (login: LoginFlavour, granted: readonly string[]): string[] =>
  NEEDED[login].filter((scope) => !granted.includes(scope));

/** Permissions that the login asked for and the person withheld: features that need them fail, but posts are still published. */
export const withheldScopes = (login: LoginFlavour, granted: readonly string[]): string[] =>
  SCOPES[login].filter((scope) => !granted.includes(scope));

/** What the console shows of a working account. */
export function describeConnection(
  login: LoginFlavour,
  report: Pick<AccountReport, 'tokenExpiresAt' | 'quotaUsed' | 'quotaTotal'>,
): string {
  const { quotaUsed, quotaTotal, tokenExpiresAt } = report;
  const quota = quotaUsed === null || quotaTotal === null ? '' : ` ${quotaUsed} of ${quotaTotal} posts used in the last 24 hours.`;
  const expiry = tokenExpiresAt === null ? '' : ` The token expires on ${tokenExpiresAt.slice(0, 10)}.`;
  return `Connected through ${LOGIN_NAMES[login]}.${quota}${expiry}`;
}

/** A person has this long to complete a login. */
export const LOGIN_SECONDS = 600;

export const CONNECTION_CALLBACK_PATH = '/api/instagram-accounts/callback';

interface AuthorizationRequest {
  /** Origin of the login page. */
  origin: string;
  /** Path prefix such as `v26.0`. */
  apiVersion: string;
  appId: string;
  redirectUri: string;
  state: string;
}

/** The page on which a person grants access to an account. */
export function authorizationUrl(login: LoginFlavour, { origin, apiVersion, appId, redirectUri, state }: AuthorizationRequest): string {
  const url = new URL(login === 'instagram' ? '/oauth/authorize' : `/${apiVersion}/dialog/oauth`, origin);
  const scope = SCOPES[login].join(',');
  url.search = new URLSearchParams({ client_id: appId, redirect_uri: redirectUri, response_type: 'code', scope, state }).toString();
  return url.toString();
}
