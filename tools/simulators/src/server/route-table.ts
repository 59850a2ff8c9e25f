import type { Route } from './sim-request';

interface CompiledRoute {
  route: Route;
  pattern: RegExp;
}

/** Finds the first route whose method and path fit. */
export class RouteTable {
  private readonly compiled: CompiledRoute[];

  constructor(routes: readonly Route[]) {
    this.compiled = routes.map((route) => ({ route, pattern: compile(route.path) }));
  }

  find(method: string, path: string): { route: Route; params: Record<string, string> } | null {
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const { route, pattern } of this.compiled) {
      const match = route.method === wanted ? pattern.exec(path) : null;
      if (match) return { route, params: decodeParams(match.groups ?? {}) };
    }
    return null;
  }
}

function compile(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => {
      if (part.startsWith(':') && part.endsWith('*')) return `(?<${part.slice(1, -1)}>.*)`;
      if (part.startsWith(':')) return `(?<${part.slice(1)}>[^/]+)`;
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}/?$`);
}

function decodeParams(groups: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    try {
      decoded[name] = decodeURIComponent(value);
    } catch {
      decoded[name] = value;
    }
  }
  return decoded;
}
