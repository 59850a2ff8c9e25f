import { AsyncLocalStorage } from 'node:async_hooks';
import { createParamDecorator, UnauthorizedException, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Session } from './session-tokens';

/** A request after SessionGuard; public routes have no session. */
export type SignedInRequest = Request & { session?: Session };

const requests = new AsyncLocalStorage<SignedInRequest>();

export const trackRequest = (request: Request, _response: Response, next: NextFunction): void => requests.run(request, next);

/** The session of the current request; `null` outside of a request. */
export const currentSession = (): Session | null => requests.getStore()?.session ?? null;

export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const { session } = context.switchToHttp().getRequest<SignedInRequest>();
  if (!session) throw new UnauthorizedException('Please sign in.');
  return session;
});

/** The administrator's address, as the history and the audit log record it. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  return context.switchToHttp().getRequest<SignedInRequest>().session?.email ?? 'system';
});
