import { api, apiSamples, type CallSample, type Route } from '@autoposter/contracts';
import type { GatewayFixture } from '../gateway-fixture';
import { ROWS, type Row } from './rows';

/** One call of the table of routes, ready to be made. */
export interface Asked {
  body?: object;
  query?: Record<string, unknown>;
  id?: string;
  token?: string | null;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export const keyOf = (route: Route) => `${route.method} ${route.path}` as const;
export const rowOf = (route: Route): Row => ROWS[keyOf(route)] ?? {};

const SAMPLES = new Map<Route, CallSample>(
  Object.entries(api).flatMap(([resource, table]) =>
    Object.entries(table as Record<string, Route>).map(([call, route]) => {
      const samples = apiSamples[resource as keyof typeof apiSamples] as Record<string, CallSample>;
      return [route, samples[call] ?? {}] as const;
    }),
  ),
);

/** Body and query that are right: from the row, else from the samples of the contracts. */
export function rightOf(route: Route): { body: object | undefined; query: Record<string, unknown> } {
  const sample = SAMPLES.get(route) ?? {};
  const row = rowOf(route);
  const body = row.body?.() ?? (sample.body as object | undefined);
  return { body: route.body === undefined ? undefined : (body ?? {}), query: row.query ?? (sample.query as Record<string, unknown>) ?? {} };
}

/** Makes a call; the id stands in the path as it is, so that it has to be encoded where that matters. */
export function ask(gateway: GatewayFixture, route: Route, { body, query, id, token = gateway.token }: Asked) {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const path = `${route.path.replace(':id', id ?? '')}${search === '' ? '' : `?${search}`}`;
  const request = gateway.visitor[route.method.toLowerCase() as Method](path).redirects(0);
  if (token !== null) request.set('Authorization', `Bearer ${token}`);
  return body === undefined ? request : request.send(body);
}
