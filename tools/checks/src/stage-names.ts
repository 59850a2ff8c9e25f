import { AUTO_PROCESS_STAGES, FACT_TYPES, isItemStage, STAGE_CATALOGUE, STAGES } from '@autoposter/contracts';
import type { Violation } from './check';
import { isTest, readSources, type SourceFile } from './source-files';

/** Test tools seed and observe particular stages; landed migrations never change. */
const MAY_NAME_STAGES = [
  /^libs\/contracts\/src\/(stages|samples)\//,
  /^libs\/persistence\/src\/migrations\//,
  /^libs\/testkit\//,
  /^tools\/(trials|bench|e2e|local\/src\/seed)\//,
  /^tools\/checks\/src\/stage-names\.ts$/,
];

/** Words that mean something else in these files, with how often they occur. */
const OTHER_MEANINGS: readonly { file: RegExp; word: string; times: number; meaning: string }[] = [
  { file: /^libs\/domain\/src\/sourcing\/url-kind\.ts$/, word: 'post', times: 3, meaning: 'a link to one post' },
  { file: /^libs\/contracts\/src\/api\/overview\.api\.ts$/, word: 'collect', times: 1, meaning: 'the kind of a failure' },
  { file: /\/(overview\/unseen-failures|[\w-]*failures?[\w.-]*)\.ts$/, word: 'collect', times: 1, meaning: 'the kind of a failure' },
  { file: /^libs\/persistence\/src\/publish-attempt\//, word: 'reconcile', times: 1, meaning: 'who resolved an attempt' },
];

/** An endpoint or console action that the specification names after a stage names it once. */
const NAMED_AFTER_STAGE = [
  { file: /^apps\/gateway\/src\/(dmca|ai)\/\1\.service\.ts$/, times: 1 },
  { file: /^apps\/console\/src\/data\/processing\/use-processing\.ts$/, times: 1 },
];

const words = [
  ...STAGES,
  ...STAGE_CATALOGUE.flatMap((entry) => ('activeState' in entry && isItemStage(entry.name) ? [entry.activeState] : [])),
  ...AUTO_PROCESS_STAGES,
  ...FACT_TYPES.filter((type) => STAGES.some((stage) => type.startsWith(`${stage}.`))),
];
const LITERAL = new RegExp(`(['"\`])(${words.map((word) => word.replace('.', '\\.')).join('|')})\\1`, 'g');
/** Comments, imports, and nouns that are put into the plural. */
const NOT_A_NAME = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|^(?:import|export) .* from .*$|^\} from .*$|\bplural\((?:[^()]|\([^()]*\))*\)/gm;

/** Literal names, states, facts and settings of stages outside the catalogue and the stage's own folder. */
export function stageNameViolations(sources: readonly SourceFile[]): Violation[] {
  return sources.filter(({ path }) => !isTest(path) && !MAY_NAME_STAGES.some((place) => place.test(path))).flatMap(violationsIn);
}

export const stageNames = { name: 'stages', run: async (root: string) => stageNameViolations(readSources(root)) };

function violationsIn({ path, text }: SourceFile): Violation[] {
  const counts = new Map<string, number>();
  for (const [, , word = ''] of text.replace(NOT_A_NAME, '').matchAll(LITERAL)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const own = STAGES.find((stage) => path.includes(`/src/${stage}/`) && path.startsWith('apps/') && !path.startsWith('apps/gateway/'));
  return [...counts].flatMap(([word, found]) => {
    if (own !== undefined && (word === own || word.startsWith(`${own}.`) || activeStateOf(own) === word)) return [];
    const other = OTHER_MEANINGS.find(({ file, word: known }) => known === word && file.test(path));
    const named = NAMED_AFTER_STAGE.find(({ file }) => file.test(path));
    if (found <= (other?.times ?? named?.times ?? 0)) return [];
    return [
      {
        file: path,
        rule: `'${word}' is spelled out ${found} time${found === 1 ? '' : 's'} outside the stage catalogue`,
        fix: 'Derive it from libs/contracts/src/stages, such as RIGHTS_STAGE, ITEM_STAGES, STAGE_FACTS or ITEM_FLOW; a new stage needs a name without another meaning.',
      },
    ];
  });
}

function activeStateOf(stage: string): string | undefined {
  const entry = STAGE_CATALOGUE.find(({ name }) => name === stage);
  return entry !== undefined && 'activeState' in entry ? entry.activeState : undefined;
}
