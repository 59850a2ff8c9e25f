import { sizeOffences, type BuiltFile } from './console-size';

const KIB = 1024;
const file = (name: string, kib: number, rest: Partial<BuiltFile> = {}): BuiltFile => ({
  name,
  bytes: kib * KIB,
  door: null,
  isEntry: false,
  imports: [],
  dynamicImports: [],
  ...rest,
});

/** A console that just keeps every budget. */
const kept = (): BuiltFile[] => [
  file('index.js', 100, { isEntry: true, imports: ['react.js'], dynamicImports: ['admin.js'] }),
  file('react.js', 60, { imports: ['index.js'] }),
  file('admin.js', 50, { door: 'apps/console/src/app/admin.tsx', imports: ['react.js'], dynamicImports: ['dashboard.js', 'queue.js'] }),
  file('dashboard.js', 30, { door: 'apps/console/src/screens/dashboard/dashboard.screen.tsx', imports: ['react.js'] }),
  file('queue.js', 25, { door: 'apps/console/src/screens/queue/queue.screen.tsx', imports: ['table.js'], dynamicImports: ['calendar.js'] }),
  file('table.js', 20, { imports: ['react.js'] }),
  file('calendar.js', 25, { door: 'apps/console/src/screens/queue/calendar.tsx', imports: ['table.js', 'queue.js'] }),
];
const grown = (name: string): BuiltFile[] => kept().map((built) => (built.name === name ? { ...built, bytes: built.bytes + 10 } : built));
const places = (built: readonly BuiltFile[]) => sizeOffences(built).map((offence) => offence.file.replace('apps/console: ', ''));

describe('sizes of the built console', () => {
  it('may be used up to the last KiB, counting nothing twice', () => {
    expect(sizeOffences(kept())).toEqual([]);
  });

  it.each([
    ['index.js', ['/', '/admin']],
    ['admin.js', ['/admin']],
    ['dashboard.js', ['/admin']],
    ['queue.js', ['apps/console/src/screens/queue/queue.screen.tsx']],
    ['table.js', ['apps/console/src/screens/queue/queue.screen.tsx']],
    ['calendar.js', ['apps/console/src/screens/queue/calendar.tsx']],
  ])('a larger %s is too much for %j', (name, expected) => {
    expect(places(grown(name))).toEqual(expected);
  });

  it('counts what the entry loads through others', () => {
    const built = kept().map((entry) => (entry.name === 'react.js' ? { ...entry, imports: ['table.js'] } : entry));
    expect(places(built)).toEqual(['/', '/admin']);
  });

  it('is no check at all without the files it is about', () => {
    expect(() => sizeOffences(kept().filter(({ name }) => name !== 'dashboard.js'))).toThrow(/dashboard\.screen/u);
    expect(() => sizeOffences(kept().filter(({ name }) => name !== 'index.js'))).toThrow(/entry/u);
  });
});
