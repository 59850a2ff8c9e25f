import { wordViolations } from './words';

const report = (text: string, path = 'libs/domain/src/planted.ts') =>
  wordViolations({ path, text }).map(({ file, rule }) => `${file} ${rule}`);

describe('wordViolations', () => {
  it.each([
    ['// the rooms of a stage', '"rooms"'],
    ['const stageRoom = 1;', '"Room"'],
    ['const WAITING_ROOM = 1;', '"ROOM"'],
    ['/* it is tried again by itself */', '"by itself"'],
    ['/**\n * The retry runs by\n * itself.\n */', '"by * itself"'],
    ["it('mends a broken link')", '"mends"'],
    ['- files are kept for ever', '"for ever"'],
  ])('reports %j', (text, quoted) => {
    expect(report(text)).toEqual([expect.stringContaining(quoted)]);
  });

  it('names the line', () => {
    expect(report('const a = 1;\n// nobody reads it\n')).toEqual(['libs/domain/src/planted.ts:2 "nobody" is not a term of the field']);
  });

  it.each(['const background = mushroom;', 'outdoors', 'it stands for a value', 'constructor', 'if there is a file', 'the recommendation'])(
    'accepts %j',
    (text) => expect(report(text)).toEqual([]),
  );

  it('accepts any word in a landed migration', () => {
    expect(report('-- nobody', 'libs/persistence/src/migrations/1-planted.ts')).toEqual([]);
  });
});
