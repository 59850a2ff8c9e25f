import { createParamDecorator, UnauthorizedException, type ExecutionContext } from '@nestjs/common';
import type { Session } from './session-tokens';
import type { SignedInRequest } from './signed-in-request';

/** The session of the one who asks. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const { session } = context.switchToHttp().getRequest<SignedInRequest>();
  if (!session) throw new UnauthorizedException('Please sign in.');
  return session;
});

/** The address under which the history and the audit log remember who asked. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  return context.switchToHttp().getRequest<SignedInRequest>().session?.email ?? 'system';
});
