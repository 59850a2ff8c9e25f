import type { CurrentUserResponse } from '@autoposter/contracts';
import type { Session } from './session-tokens';

export function presentUser(session: Session, token: string | undefined): CurrentUserResponse {
  const user = { name: session.name, email: session.email, avatar: session.avatar };
  return { success: true, user, ...(token === undefined ? {} : { token }) };
}
