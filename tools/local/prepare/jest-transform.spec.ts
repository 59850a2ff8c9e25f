import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTransformer } from './jest-transform.cjs';

describe('the transformer of specs', () => {
  let folder: string;
  const transformer = createTransformer({ jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
  const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);
  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'transform-')), 'libs/planted/src');
    fs.mkdirSync(folder, { recursive: true });
    write(
      'words.ts',
      'export const one = 1;\nexport function two() {}\nexport class Three {}\nexport enum Four {}\nexport interface Five {}\n',
    );
    write('more.ts', "export type Six = 6;\nconst seven = 7;\nexport { seven as sevenAgain };\nexport * from './words';\n");
    write('named.ts', 'throw new Error("loaded");');
  });
  afterEach(() => fs.rmSync(path.resolve(folder, '../../..'), { recursive: true }));

  /** The exports of this text as `index.ts` of a library, and the modules that were loaded for them so far. */
  function load(text: string) {
    const loaded: string[] = [];
    const exported: Record<string, unknown> = {};
    const { code } = transformer.process(text, path.join(folder, 'index.ts'), OPTIONS);
    const require = (name: string) => (loaded.push(name), { one: 'the value of one', orig: 'the value of orig' });
    new Function('exports', 'require', code)(exported, require);
    return { exported, loaded };
  }

  it('exports the values of each module, without types', () => {
    const { exported } = load(
      "export * from './more';\nexport { orig as renamed, type Left } from './named';\nexport type { Out } from './named';\n",
    );
    expect(Object.keys(exported)).toEqual(['sevenAgain', 'one', 'two', 'Three', 'Four', 'renamed']);
  });

  it('loads a module once, at the first use of one of its exports', () => {
    const { exported, loaded } = load("export * from './words';\nexport { orig as renamed } from './named';\n");
    expect(loaded).toEqual([]);
    expect([exported.renamed, exported.renamed, loaded]).toEqual(['the value of orig', 'the value of orig', ['./named']]);
    expect([exported.one, loaded]).toEqual(['the value of one', ['./named', './words']]);
  });

  it('is repeated after a change of a module that is exported as a whole', () => {
    const keyOf = () => transformer.getCacheKey("export * from './words';\n", path.join(folder, 'index.ts'), OPTIONS);
    const before = keyOf();
    expect(keyOf()).toBe(before);
    write('words.ts', 'export const other = 1;\n');
    expect(keyOf()).not.toBe(before);
  });

  it('leaves a file that contains more than re-exports to swc', () => {
    const text = "export { orig } from './named';\nexport const own = 1;\n";
    const { code } = transformer.process(text, path.join(folder, 'index.ts'), OPTIONS);
    expect(code).toContain('const own = 1');
  });
});

const OPTIONS = { instrument: false, config: { rootDir: '/', transform: [] }, configString: '', cacheFS: new Map(), transformerConfig: {} };
