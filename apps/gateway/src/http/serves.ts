import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, SetMetadata } from '@nestjs/common';
import type { HttpMethod, Route, RouteAccess } from '@autoposter/contracts';

export const ACCESS = 'access';

const METHODS: Record<HttpMethod, (path: string) => MethodDecorator> = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

/** Binds a handler to one line of the table of routes: method, path and who may call come from there. */
export const Serves = (route: Route): MethodDecorator & ClassDecorator =>
  applyDecorators(METHODS[route.method](route.path), HttpCode(200), SetMetadata(ACCESS, route.access)) as MethodDecorator & ClassDecorator;

/** For what the table does not list: probes, the signed media path. */
export const Access = (access: RouteAccess): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, access);
