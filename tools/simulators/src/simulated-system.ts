import type { SystemName } from './control/fault';
import { notFound, type NotFound } from './server/not-found';
import type { Answer } from './server/answer';
import type { Route, SimRequest } from './server/sim-request';

/** One origin before it is started. */
export interface SimulatedSystem {
  name: SystemName;
  routes: readonly Route[];
  notFound: NotFound;
  bodyLimitBytes: number;
  decorate?: (request: SimRequest, answer: Answer) => void;
}

export function system(name: SystemName, routes: readonly Route[], more: Partial<SimulatedSystem> = {}): SimulatedSystem {
  return { name, routes, notFound, bodyLimitBytes: 2_000_000, ...more };
}
