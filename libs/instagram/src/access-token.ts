import { PipelineError } from '@autoposter/domain';
import { objectIn } from './exchange';
import type { GraphApi } from './graph-api';

export interface RenewedToken {
  accessToken: string;
  expiresAt: string | null;
}

interface AppCredentials {
  appId?: string;
  appSecret?: string;
}

/**
 * A token with a new life of about 60 days. Instagram Login renews a token that is at least 24 hours old and still valid; Facebook
 * Login exchanges it, which takes the application's id and secret. Throws `not_offered` where neither is possible.
 */
export async function refreshAccessToken(api: GraphApi, flavour: 'instagram' | 'facebook', app: AppCredentials): Promise<RenewedToken> {
  if (flavour === 'instagram') {
    return read(api, await api.getUnversioned('/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: api.accessToken }));
  }
  if (!app.appId || !app.appSecret) {
    throw new PipelineError({
      kind: 'not_offered',
      message: 'A token of Facebook Login cannot be renewed without the application.',
      side: 'operator',
      nextAction: 'Set INSTAGRAM_APP_ID and INSTAGRAM_APP_SECRET, or create a new token by hand.',
    });
  }
  return read(
    api,
    await api.getUnversioned('/oauth/access_token', {
      grant_type: 'fb_exchange_token',
      client_id: app.appId,
      client_secret: app.appSecret,
      fb_exchange_token: api.accessToken,
    }),
  );
}

/**
 * When the token ends, `null` where the platform does not tell: Instagram Login has no call for it, Facebook Login needs the
 * application's id and secret, and tokens of Pages and system users have no end (0).
 */
export async function tokenExpiry(api: GraphApi, flavour: 'instagram' | 'facebook', app: AppCredentials): Promise<string | null> {
  if (flavour === 'instagram' || !app.appId || !app.appSecret) return null;
  const answer = await api.getUnversioned('/debug_token', { input_token: api.accessToken, access_token: `${app.appId}|${app.appSecret}` });
  const expiresAt = objectIn(answer['data'])['expires_at'];
  return typeof expiresAt === 'number' && expiresAt > 0 ? new Date(expiresAt * 1000).toISOString() : null;
}

function read(api: GraphApi, answer: Record<string, unknown>): RenewedToken {
  const token = answer['access_token'];
  if (typeof token !== 'string' || token === '') {
    throw new PipelineError({
      kind: 'transient',
      message: 'Instagram answered the renewal without a token.',
      side: 'instagram',
      nextAction: 'It is tried again by itself.',
    });
  }
  const seconds = answer['expires_in'];
  return { accessToken: token, expiresAt: typeof seconds === 'number' ? new Date(api.now() + seconds * 1000).toISOString() : null };
}
