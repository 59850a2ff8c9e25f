import { AsyncLocalStorage } from 'node:async_hooks';
import { createParamDecorator, UnauthorizedException, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Session } from './session-tokens';

/** A request as the guard of sessions leaves it; without a session where the call is open to everybody. */
export type SignedInRequest = Request & { session?: Session };

const requests = new AsyncLocalStorage<SignedInRequest>();

export const trackRequest = (request: Request, _response: Response, next: NextFunction): void => requests.run(request, next);

/** The session of the request that is being answered; `null` outside of one. */
export const currentSession = (): Session | null => requests.getStore()?.session ?? null;

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
