import { z } from 'zod';
import { acknowledgedSchema } from './envelope.api';
import { defineRoutes, get, post } from './route';

const userSchema = z.object({ name: z.string(), email: z.email(), avatar: z.string().nullable() });
export type User = z.infer<typeof userSchema>;

/** `token` comes when the short token of the redirect is exchanged for a session. */
export const currentUserResponseSchema = z.object({ success: z.literal(true), user: userSchema, token: z.string().optional() });
export type CurrentUserResponse = z.infer<typeof currentUserResponseSchema>;

/** A path of this product to come back to after signing in; nothing with an origin of its own. */
export const signInQuerySchema = z.object({
  returnTo: z
    .string()
    .max(500)
    .regex(/^\/admin(?:[/?][^\\]*)?$/u, 'must be a path below /admin')
    .optional(),
});

export const authRoutes = defineRoutes({
  signIn: { method: 'GET', path: '/api/auth/google', access: 'public', summary: 'Redirects to the sign-in', query: signInQuerySchema },
  callback: { method: 'GET', path: '/api/auth/google/callback', access: 'public', summary: 'Takes the answer of the sign-in' },
  me: get('/api/auth/me', 'The signed-in user', { response: currentUserResponseSchema }),
  logout: post('/api/auth/logout', 'Ends the session', { response: acknowledgedSchema }),
});
