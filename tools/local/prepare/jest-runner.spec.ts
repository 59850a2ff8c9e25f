import vm from 'node:vm';

describe('compiled modules', () => {
  const compile = (source: string) =>
    vm.compileFunction(source, ['n'], { filename: '/a/module.js', parsingContext: vm.createContext({}) }) as ((n: number) => number) & {
      cachedDataRejected?: boolean;
    };

  it('are restored for another context, and compiled again after a change of the same length', () => {
    const first = compile('return n + 1');
    const second = compile('return n + 1');
    const changed = compile('return n - 1');
    expect([first, second, changed].map((one) => one.cachedDataRejected)).toEqual([undefined, false, undefined]);
    expect([first, second, changed].map((one) => one(3))).toEqual([4, 4, 2]);
  });
});
