import path from 'node:path';
import { readSources } from './source-files';
import { stageNameViolations } from './stage-names';

const rulesIn = (file: string, text: string) => stageNameViolations([{ path: file, text }]).map(({ rule }) => rule);

describe('stage names outside the catalogue', () => {
  it('do not occur in the workspace', () => {
    expect(stageNameViolations(readSources(path.resolve(__dirname, '../../..')))).toEqual([]);
  });

  it.each([
    ['a stage name in a library', 'libs/workflow/src/planted.ts', `const stage = 'dmca';`],
    ['a stage name in SQL', 'libs/persistence/src/planted/planted.repository.ts', "const sql = `WHERE stage IN ('ai')`;"],
    ['the active state of a stage', 'apps/gateway/src/planted.ts', `if (item.state === 'captioning') return;`],
    ['an auto-process setting', 'apps/console/src/planted.tsx', `const stop = 'aiCaption';`],
    ['a fact of a stage', 'apps/gateway/src/planted.ts', `append({ type: 'post.failed' });`],
    ['another stage in the folder of a stage', 'apps/dmca-worker/src/dmca/steps/planted.step.ts', `const madeBy = 'download';`],
    ['a second use in a file named after a stage', 'apps/gateway/src/ai/ai.service.ts', `const a = 'ai'; const b = 'ai';`],
  ])('are reported: %s', (_what, file, text) => {
    expect(rulesIn(file, text)).toEqual([expect.stringContaining('outside the stage catalogue')]);
  });

  it.each([
    ['the own name in the folder of a stage', 'apps/dmca-worker/src/dmca/dmca.stage.ts', `name: 'dmca', state: 'protecting'`],
    ['a comment', 'libs/workflow/src/planted.ts', `// as in 'dmca'\n/** 'ai' */`],
    ['an import', 'libs/llm/src/planted.ts', `import { generateObject } from 'ai';`],
    ['a plural', 'apps/console/src/text/planted.text.ts', `plural(posts, 'post')`],
    ['a test', 'libs/workflow/src/planted.spec.ts', `const stage = 'dmca';`],
  ])('are accepted in %s', (_what, file, text) => {
    expect(rulesIn(file, text)).toEqual([]);
  });
});
