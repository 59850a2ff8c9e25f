import { budgetViolations } from './budgets';

const file = (path: string, lines: number, text = 'const a = 1;') => ({ path, text: `${Array(lines).fill(text).join('\n')}\n` });
const rulesOf = (...files: { path: string; text: string }[]) => budgetViolations(files).map(({ rule }) => rule);

describe('budgetViolations', () => {
  it.each([
    ['libs/domain/src/planted.ts', 400],
    ['apps/ai-worker/src/ai/planted.stage.ts', 150],
    ['apps/console/src/screens/urls/urls.screen.tsx', 150],
    ['libs/domain/src/planted.spec.ts', 500],
    ['libs/contracts/src/api/planted.api.ts', 500],
    ['libs/persistence/src/migrations/1-planted.ts', 500],
  ])('allows %s at most %i lines', (path, budget) => {
    expect(rulesOf(file(path, budget))).toEqual([]);
    expect(rulesOf(file(path, budget + 1))).toEqual([expect.stringContaining(`at most ${budget} lines, this one has ${budget + 1}`)]);
  });

  it.each(['libs/domain/src/utils/a.ts', 'libs/domain/src/helpers.ts', 'apps/gateway/src/types.ts', 'libs/llm/src/core/a.ts'])(
    'refuses the name of %s',
    (path) => expect(rulesOf(file(path, 1))).toEqual([expect.stringMatching(/is not allowed$/)]),
  );

  it('allows one index per library', () => {
    expect(rulesOf(file('libs/domain/src/index.ts', 1))).toEqual([]);
    expect(rulesOf(file('libs/domain/src/pipeline/index.ts', 1), file('apps/console/src/ui/index.ts', 1))).toHaveLength(2);
  });

  it('requires a reason for a suppression', () => {
    expect(rulesOf(file('libs/domain/src/a.ts', 1, '// eslint-disable-next-line no-console'))).toHaveLength(1);
    expect(rulesOf(file('libs/domain/src/a.ts', 1, '// eslint-disable-next-line no-console -- the only way to the terminal'))).toEqual([]);
    expect(rulesOf(file('libs/domain/src/a.ts', 1, '// @ts-ignore -- because it does not compile'))).toHaveLength(1);
  });
});
