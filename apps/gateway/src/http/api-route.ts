import { api, type HttpMethod, type Pagination, type Route, type RouteAccess } from '@autoposter/contracts';
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

/** Binds a handler to a route of the contracts, which defines method, path and access. */
export const ApiRoute = (route: Route): MethodDecorator & ClassDecorator =>
  applyDecorators(
    METHODS[route.method](route.path),
    HttpCode(200),
    SetMetadata(ACCESS, route.access),
    SetMetadata(ROUTE, route),
  ) as MethodDecorator & ClassDecorator;

/** For handlers outside of the route table: probes, documentation, signed media. */
export const Access = (access: RouteAccess): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, access);

/** `undefined` for handlers outside of the route table. */
export const routeOf = (reflector: Reflector, context: ExecutionContext): Route | undefined =>
  reflector.get<Route | undefined>(ROUTE, context.getHandler());

/** A changing call of an administrator. */
export interface Change {
  route: Route;
  request: SignedInRequest;
  actor: string;
}

/** Browser logs are reported by the browser, not by the administrator. */
const isChange = (route: Route): boolean => route.method !== 'GET' && route !== api.logs.sendBrowser;

/** `null` for reading calls and calls without a session. */
export function changeOf(reflector: Reflector, context: ExecutionContext): Change | null {
  const route = routeOf(reflector, context);
  const request = context.switchToHttp().getRequest<SignedInRequest>();
  return route && isChange(route) && request.session ? { route, request, actor: request.session.email } : null;
}

/** The handler's result. Unlike the observable, the promise also settles after the client disconnected. */
export const resultOf = (next: CallHandler): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: null });

/** PUT, PATCH and DELETE are idempotent already, and so is a sign-out. */
export const acceptsIdempotencyKey = (route: Route): boolean => route.method === 'POST' && isChange(route) && route !== api.auth.logout;

export function presentPagination(page: number, pageSize: number, totalCount: number): Pagination {
  const totalPages = Math.ceil(totalCount / pageSize);
  return { currentPage: page, totalPages, totalCount, hasPrevPage: page > 1, hasNextPage: page < totalPages };
}
