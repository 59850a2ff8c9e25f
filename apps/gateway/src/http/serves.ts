import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { HttpMethod, Route, RouteAccess } from '@autoposter/contracts';

export const ACCESS = 'access';
const ROUTE = 'route';

const METHODS: Record<HttpMethod, (path: string) => MethodDecorator> = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

/** Binds a handler to one line of the table of routes: method, path and who may call come from there. */
export const Serves = (route: Route): MethodDecorator & ClassDecorator =>
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
