import { findLines, type LogBuffer, logLevel, newBuffer, patternOf, piecesOf, takeIn } from './log-lines';

describe('logLevel', () => {
  it.each([
    ['2026 ERROR it broke', 'error'],
    ['2026-05-05T10:00:00.000Z INFO [gateway] the error page was shown', 'info'],
    ['2026-05-05 10:00:00 WARN slow', 'warn'],
    ['{"level":50,"msg":"x"}', 'error'],
    ['time=1 level=debug msg=x', 'debug'],
    ['[WARN] slow', 'warn'],
    ['INFO fine', 'info'],
    ['it says ERROR somewhere', 'error'],
    ['no errors at all', 'other'],
    ['something', 'other'],
  ])('reads the line "%s" as %s', (line, level) => expect(logLevel(line)).toBe(level));
});

describe('takeIn', () => {
  const texts = ({ lines }: LogBuffer) => lines.map((line) => line.text).join('');
  const numbers = ({ lines }: LogBuffer) => lines.map((line) => line.n);
  const of = (text: string) => [...text];

  it('keeps the ids of known lines and drops the oldest while following', () => {
    const after = takeIn(newBuffer(of('abcd')), of('cdef'), true);
    expect([texts(after), numbers(after)]).toEqual(['cdef', [2, 3, 4, 5]]);
  });

  it('keeps older lines while not following, until following resumes', () => {
    const reading = takeIn(newBuffer(of('abcd')), of('cdef'), false);
    expect([texts(reading), numbers(reading)]).toEqual(['abcdef', [0, 1, 2, 3, 4, 5]]);
    expect(texts(takeIn(reading, of('defg'), true))).toBe('defg');
  });

  it('matches whole overlaps when lines repeat', () => {
    expect(numbers(takeIn(newBuffer(of('aaab')), of('aaba'), true))).toEqual([1, 2, 3, 4]);
  });

  it('empties a cleared log and continues after a gap', () => {
    expect(texts(takeIn(newBuffer(of('abcd')), of('x'), false))).toBe('x');
    expect(texts(takeIn(newBuffer(of('abcd')), of('wxyz'), false))).toBe('abcdwxyz');
    expect(texts(takeIn(newBuffer(of('abcd')), [], false))).toBe('');
  });

  it('compares identical lines in at most one pass per overlap', () => {
    const same = Array.from({ length: 1_000 }, () => 'again');
    let reads = 0;
    const counted = new Proxy(same, { get: (lines, key) => ((reads += 1), Reflect.get(lines, key) as unknown) });
    const { lines } = takeIn({ ...newBuffer(same), read: counted }, [...same.slice(1), 'new'], true);
    expect(lines.at(-1)).toMatchObject({ n: 1_000, text: 'new' });
    expect(reads).toBeLessThan(10_000);
  });
});

describe('log search', () => {
  const { lines } = newBuffer(['a.b', 'axb', 'nothing']);
  it('searches a literal text or a regular expression', () => {
    expect(findLines(lines, patternOf('A.B', false))).toEqual([0]);
    expect(findLines(lines, patternOf('a.b', true))).toEqual([0, 1]);
    expect(patternOf('[', true)).toBeNull();
    expect(findLines(lines, patternOf('', false))).toEqual([]);
  });

  it('splits a line so that every second piece is a match', () => {
    expect(piecesOf('xaxa', patternOf('a', false))).toEqual(['x', 'a', 'x', 'a', '']);
    expect(piecesOf('abc', patternOf('x*', true))).toEqual(['abc']);
  });
});
