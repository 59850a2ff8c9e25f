import { objectIn, PipelineError } from '@autoposter/domain';
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
 * A token with a new life of about 60 days. Instagram Login renews one that is at least 24 hours old and still valid; an expired one
 * cannot be saved. Throws `not_offered` with Facebook Login, which has no renewal: a person signs in again, or uses a token of a Page or a
 * system user, which has no end (business-login reference).
 */
export async function refreshAccessToken(api: GraphApi, flavour: 'instagram' | 'facebook'): Promise<RenewedToken> {
  if (flavour === 'facebook') {
    throw new PipelineError({
      kind: 'not_offered',
      message: 'A token of Facebook Login cannot be renewed.',
      side: 'operator',
      nextAction: 'Create a new token by hand, or use one of a Page or a system user, which has no end.',
    });
  }
  return read(api, await api.getUnversioned('/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: api.accessToken }));
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
