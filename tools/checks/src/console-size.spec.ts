import { sizeViolations, type BuiltFile } from './console-size';

const KIB = 1024;
const file = (name: string, kib: number, rest: Partial<BuiltFile> = {}): BuiltFile => ({
  name,
  bytes: kib * KIB,
  facade: null,
  isEntry: false,
  imports: [],
  dynamicImports: [],
  ...rest,
});

/** A console that uses every budget completely. */
const withinBudget = (): BuiltFile[] => [
  file('index.js', 100, { isEntry: true, imports: ['react.js'], dynamicImports: ['admin.js'] }),
  file('react.js', 60, { imports: ['index.js'] }),
  file('admin.js', 50, { facade: 'apps/console/src/app/admin.tsx', imports: ['react.js'], dynamicImports: ['dashboard.js', 'queue.js'] }),
  file('dashboard.js', 30, { facade: 'apps/console/src/screens/dashboard/dashboard.screen.tsx', imports: ['react.js'] }),
  file('queue.js', 25, {
    facade: 'apps/console/src/screens/queue/queue.screen.tsx',
    imports: ['table.js'],
    dynamicImports: ['calendar.js'],
  }),
  file('table.js', 20, { imports: ['react.js'] }),
  file('calendar.js', 25, { facade: 'apps/console/src/screens/queue/calendar.tsx', imports: ['table.js', 'queue.js'] }),
];
const grown = (name: string): BuiltFile[] =>
  withinBudget().map((built) => (built.name === name ? { ...built, bytes: built.bytes + 10 } : built));
const places = (built: readonly BuiltFile[]) => sizeViolations(built).map((violation) => violation.file.replace('apps/console: ', ''));

describe('sizeViolations', () => {
  it('accepts sizes up to the budget and counts no file twice', () => {
    expect(sizeViolations(withinBudget())).toEqual([]);
  });

  it.each([
    ['index.js', ['/', '/admin']],
    ['admin.js', ['/admin']],
    ['dashboard.js', ['/admin']],
    ['queue.js', ['apps/console/src/screens/queue/queue.screen.tsx']],
    ['table.js', ['apps/console/src/screens/queue/queue.screen.tsx']],
    ['calendar.js', ['apps/console/src/screens/queue/calendar.tsx']],
  ])('reports a larger %s for %j', (name, expected) => {
    expect(places(grown(name))).toEqual(expected);
  });

  it('counts indirect imports of the entry', () => {
    const built = withinBudget().map((entry) => (entry.name === 'react.js' ? { ...entry, imports: ['table.js'] } : entry));
    expect(places(built)).toEqual(['/', '/admin']);
  });

  it('throws when a file with a budget is missing', () => {
    expect(() => sizeViolations(withinBudget().filter(({ name }) => name !== 'dashboard.js'))).toThrow(/dashboard\.screen/u);
    expect(() => sizeViolations(withinBudget().filter(({ name }) => name !== 'index.js'))).toThrow(/entry/u);
  });
});
