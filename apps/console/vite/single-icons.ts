import type { Plugin } from 'vite';

const ICONS = '@mdi/js';
const PREFIX = '\0icon:';
const IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"]@mdi\/js['"];?/gu;

/**
 * Makes each icon a module of its own. The package is one module with thousands of icons; as such, all icons that any screen uses would be
 * loaded by the first screen that uses one.
 */
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
