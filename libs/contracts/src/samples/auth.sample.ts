import type { CurrentUserResponse, User } from '../api/auth.api';

export const userSample: User = { name: 'Ada Admin', email: 'ada@example.com', avatar: null };
export const currentUserSample: CurrentUserResponse = { success: true, user: userSample, token: 'session-token' };
export const signInQuerySample = { returnTo: '/admin/processed?view=reels' };
