import type { CallHandler, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { api, type Route } from '@autoposter/contracts';
import { lastValueFrom } from 'rxjs';
import type { SignedInRequest } from '../auth/signed-in-request';
import { routeOf } from './serves';

/** A call of the table by which a signed-in person changes something. */
export interface Change {
  route: Route;
  request: SignedInRequest;
  /** The address under which the history and the audit log remember who asked. */
  actor: string;
}

/** What a browser reports about itself is no change that a person made. */
export const isChange = (route: Route): boolean => route.method !== 'GET' && route !== api.logs.sendBrowser;

/** `null` for calls that change nothing, or that nobody is signed in for. */
export function changeOf(reflector: Reflector, context: ExecutionContext): Change | null {
  const route = routeOf(reflector, context);
  const request = context.switchToHttp().getRequest<SignedInRequest>();
  return route && isChange(route) && request.session ? { route, request, actor: request.session.email } : null;
}

/** What the handler answers. As a promise it is settled when nobody waits for the answer any more, too. */
export const answerOf = (next: CallHandler): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: null });
