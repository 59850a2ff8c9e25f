import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const HEADER = 'x-request-id';
const ACCEPTED = /^[A-Za-z0-9._-]{8,64}$/;
const ids = new WeakMap<Request, string>();

/** Gives each request an id that is told in the answer and in the log; one from a proxy in front is kept. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[HEADER];
  const id = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader('X-Request-Id', id);
  next();
}

export const requestIdOf = (request: Request): string => ids.get(request) ?? 'unknown';
