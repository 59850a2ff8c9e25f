import { type HttpMethod, type Route, type RouteAccess, api } from '@autoposter/contracts';
import {
  applyDecorators,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Put,
  SetMetadata,
  type ExecutionContext,
  type CallHandler,
} from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { lastValueFrom } from 'rxjs';
import type { SignedInRequest } from '../auth/current-session';

export const ACCESS = 'access';
const ROUTE = 'route';

const METHODS: Record<HttpMethod, (path: string) => MethodDecorator> = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

/** Binds a handler to one line of the table of routes: method, path and who may call come from there. */
export const ApiRoute = (route: Route): MethodDecorator & ClassDecorator =>
  applyDecorators(
    METHODS[route.method](route.path),
    HttpCode(200),
    SetMetadata(ACCESS, route.access),
    SetMetadata(ROUTE, route),
  ) as MethodDecorator & ClassDecorator;

/** For what the table does not list: probes, the signed media path. */
export const Access = (access: RouteAccess): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, access);

/** The line of the table that a handler serves; `undefined` for what the table does not list. */
export const routeOf = (reflector: Reflector, context: ExecutionContext): Route | undefined =>
  reflector.get<Route | undefined>(ROUTE, context.getHandler());

/** A call of the table by which a signed-in person changes something. */
export interface Change {
  route: Route;
  request: SignedInRequest;
  /** The address under which the history and the audit log remember who asked. */
  actor: string;
}

/** What a browser reports about itself is no change that a person made. */
const isChange = (route: Route): boolean => route.method !== 'GET' && route !== api.logs.sendBrowser;

/** `null` for calls that change nothing, or that nobody is signed in for. */
export function changeOf(reflector: Reflector, context: ExecutionContext): Change | null {
  const route = routeOf(reflector, context);
  const request = context.switchToHttp().getRequest<SignedInRequest>();
  return route && isChange(route) && request.session ? { route, request, actor: request.session.email } : null;
}

/** What the handler answers. As a promise it is settled when nobody waits for the answer any more, too. */
export const answerOf = (next: CallHandler): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: null });

/** Whether a caller may name a call, so that it is done once. Other methods are done once by what they are, and so is a sign-out. */
export const acceptsIdempotencyKey = (route: Route): boolean => route.method === 'POST' && isChange(route) && route !== api.auth.logout;
