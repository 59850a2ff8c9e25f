import { z } from 'zod';
import { LOGIN_FLAVOURS } from '../vocabulary';
import { acknowledgedSchema, momentSchema, successOf } from './envelope.api';
import { publishingSchema, resumeBodySchema } from './publishing.api';
import { defineRoutes, del, get, patch, post } from './route';
import { needsPermissionBodySchema } from './subreddits.api';

/**
 * An account that posts are published on. `ready` only after a check of its token, its permissions and its quota; `refused` names in
 * `detail` what is wrong; `unchecked` waits for the publishing worker. The account of the environment is always the first one.
 */
const instagramAccountSchema = z.object({
  id: z.uuid(),
  source: z.enum(['environment', 'connected']),
  userId: z.string().nullable(),
  username: z.string().nullable(),
  login: z.enum(LOGIN_FLAVOURS).nullable(),
  status: z.enum(['unchecked', 'ready', 'refused']),
  detail: z.string(),
  tokenExpiresAt: momentSchema.nullable(),
  checkedAt: momentSchema.nullable(),
  connectedBy: z.string().nullable(),
  publishing: publishingSchema,
  /** Publishes only posts with the author's permission. */
  needsPermission: z.boolean(),
  /** Posts that wait in its queue. */
  waiting: z.int().min(0),
});
export type InstagramAccount = z.infer<typeof instagramAccountSchema>;

/** The newest connection of the last minutes, so that the console can follow it. */
const connectionSchema = z.object({
  status: z.enum(['started', 'pending', 'connected', 'failed']),
  message: z.string(),
  login: z.enum(LOGIN_FLAVOURS),
});
export type AccountConnection = z.infer<typeof connectionSchema>;

const instagramAccountsSchema = z.object({
  accounts: z.array(instagramAccountSchema),
  /** Which logins can connect an account; `missing` names the variable that the others lack. */
  logins: z.array(z.object({ login: z.enum(LOGIN_FLAVOURS), missing: z.string().nullable() })),
  connection: connectionSchema.nullable(),
});
export type InstagramAccounts = z.infer<typeof instagramAccountsSchema>;

export const connectAccountBodySchema = z.strictObject({ login: z.enum(LOGIN_FLAVOURS) });
export type ConnectAccountBody = z.infer<typeof connectAccountBodySchema>;

/** The browser opens this address, so no value is refused: a value that is not a text counts as absent. */
const text = z.string().optional().catch(undefined);
/** What the login sends back; `error` and `error_description` where the person declined. */
export const connectionCallbackQuerySchema = z.looseObject({ code: text, state: text, error: text, error_description: text });
export type ConnectionCallbackQuery = z.infer<typeof connectionCallbackQuerySchema>;

export const instagramAccountsRoutes = defineRoutes({
  list: get('/api/instagram-accounts', 'The accounts that posts are published on', { response: successOf(instagramAccountsSchema) }),
  connect: post('/api/instagram-accounts/connect', 'Starts the login that connects an account', {
    body: connectAccountBodySchema,
    response: successOf(z.object({ authorizationUrl: z.url() })),
  }),
  callback: {
    method: 'GET',
    path: '/api/instagram-accounts/callback',
    access: 'public',
    summary: 'Takes the answer of the login',
    query: connectionCallbackQuerySchema,
  },
  pause: post('/api/instagram-accounts/:id/pause', 'Pauses publishing on an account', { response: successOf(publishingSchema) }),
  resume: post('/api/instagram-accounts/:id/resume', 'Resumes publishing on an account', {
    body: resumeBodySchema,
    response: successOf(publishingSchema),
  }),
  changeNeedsPermission: patch('/api/instagram-accounts/:id/needs-permission', 'Changes whether posts of an account need a permission', {
    body: needsPermissionBodySchema,
    response: acknowledgedSchema,
  }),
  disconnect: del('/api/instagram-accounts/:id', 'Removes a connected account and its token', { response: acknowledgedSchema }),
});
