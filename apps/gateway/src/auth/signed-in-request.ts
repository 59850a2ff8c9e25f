import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import type { Session } from './session-tokens';

/** A request as the guard of sessions leaves it; without a session where the call is open to everybody. */
export type SignedInRequest = Request & { session?: Session };

const requests = new AsyncLocalStorage<SignedInRequest>();

export const trackRequest = (request: Request, _response: Response, next: NextFunction): void => requests.run(request, next);

/** The session of the request that is being answered; `null` outside of one. */
export const currentSession = (): Session | null => requests.getStore()?.session ?? null;
