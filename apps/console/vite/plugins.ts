import { runnerImport, type Plugin } from 'vite';

const CONTRACTS = '@autoposter/contracts';
const VIRTUAL = '\0plain-contracts';
/** One module per export, so that a screen loads only what it imports. */
const EXPORT_PREFIX = `${VIRTUAL}:`;
/** The part of a route that the browser uses. */
const ROUTE_FIELDS = ['method', 'path'] as const;

const isRoute = (value: object): value is Record<(typeof ROUTE_FIELDS)[number], string> =>
  ROUTE_FIELDS.every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

/** The value as plain data, or `undefined` for anything else (a schema, a function, a class). */
function plain(value: unknown): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    const items = value.map(plain);
    return items.includes(undefined) ? undefined : items;
  }
  if (isRoute(value)) return Object.fromEntries(ROUTE_FIELDS.map((field) => [field, value[field]]));
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const fields = Object.entries(value).map(([name, field]) => [name, plain(field)] as const);
  return fields.some(([, field]) => field === undefined) ? undefined : Object.fromEntries(fields);
}

/** The source text of an export that is plain data or a pattern, or `undefined` for anything else. */
const literalOf = (value: unknown): string | undefined => (value instanceof RegExp ? String(value) : JSON.stringify(plain(value)));

/**
 * Replaces the contracts by their plain data (routes, limits, labels, patterns), so that the bundle contains neither schemas nor zod. Importing
 * anything but data or types from the contracts fails the build.
 */
export function plainContracts(source: string, tsconfigRoot: string): Plugin {
  const modules = new Map<string, string>();
  return {
    name: 'plain-contracts',
    enforce: 'pre',
    resolveId: (id) => (id === CONTRACTS ? VIRTUAL : id.startsWith(EXPORT_PREFIX) ? id : null),
    async load(id) {
      if (id.startsWith(EXPORT_PREFIX)) return modules.get(id.slice(EXPORT_PREFIX.length)) ?? null;
      if (id !== VIRTUAL) return null;
      const { module, dependencies } = await runnerImport<Record<string, unknown>>(source, {
        root: tsconfigRoot,
        configFile: false,
        logLevel: 'error',
        resolve: { tsconfigPaths: true },
      });
      for (const file of dependencies) this.addWatchFile(file);
      for (const [name, value] of Object.entries(module)) {
        const literal = /samples?$/iu.test(name) ? undefined : literalOf(value);
        if (literal !== undefined) modules.set(name, `export const ${name} = ${literal};`);
      }
      return [...modules.keys()].map((name) => `export { ${name} } from ${JSON.stringify(EXPORT_PREFIX + name)};`).join('\n');
    },
  };
}

const ICONS = '@mdi/js';
const PREFIX = '\0icon:';
const IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"]@mdi\/js['"];?/gu;

/** Makes each icon a module of its own; otherwise the first screen would load the icons of all screens, which share one module. */
export function singleIcons(): Plugin {
  return {
    name: 'single-icons',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes(ICONS)) return null;
      const split = (_import: string, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '')
          .map((name) => `import { ${name} } from '${PREFIX.replace('\0', 'virtual-')}${name.split(' ')[0] ?? ''}';`)
          .join(' ');
      return { code: code.replaceAll(IMPORT, split), map: null };
    },
    resolveId: (id) => (id.startsWith('virtual-icon:') ? `${PREFIX}${id.slice('virtual-icon:'.length)}` : null),
    async load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const name = id.slice(PREFIX.length);
      const path = ((await import(ICONS)) as Record<string, unknown>)[name];
      if (typeof path !== 'string') throw new Error(`${ICONS} has no icon ${name}`);
      return `export const ${name} = ${JSON.stringify(path)};`;
    },
  };
}
