import fs from 'node:fs';
import path from 'node:path';
import SlowestFirst from './jest-sequencer.cjs';

const ROOT = path.resolve(__dirname, '../../..');

describe('the order of specs', () => {
  it('begins with the slowest ones, and continues by size', () => {
    const sizes: Record<string, number> = {
      '/a/small.spec.ts': 1,
      '/b/publish.int.spec.ts': 2,
      '/c/kafka-bus.int.spec.ts': 3,
      '/d/large.spec.ts': 4,
    };
    const context = { config: { cache: false }, hasteFS: { getSize: (file: string) => sizes[file] } };
    const sorted = new SlowestFirst({ contexts: [], globalConfig: {} as never }).sort(
      Object.keys(sizes).map((file) => ({ path: file, context })) as never,
    );
    expect(sorted.map((test: { path: string }) => path.basename(test.path))).toEqual([
      'kafka-bus.int.spec.ts',
      'publish.int.spec.ts',
      'large.spec.ts',
      'small.spec.ts',
    ]);
  });

  it('names specs that exist only', () => {
    const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
      fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }),
    );
    const names = new Set(files.map((file) => path.basename(file)));
    expect(Object.keys(SlowestFirst.SECONDS).filter((name) => !names.has(name))).toEqual([]);
  });
});
