import fs from 'node:fs';
import path from 'node:path';
import { envExample } from '@autoposter/config';
import { allTopics, deadLetterSample, factSample, stageRequestSample, STAGES, type Stage, type Topic, topics } from '@autoposter/contracts';
import { UNREACHABLE_STATUSES } from '@autoposter/domain';
import type { Violation } from './check';
import { readSources, type SourceFile } from './source-files';

const TOPICS_FILE = 'libs/contracts/src/topics.ts';
const TOPIC_NAME = /^pipeline\.([a-z]+\.(requested|dead)|facts)\.v\d+$/;

export const wiring = {
  name: 'wiring',
  async run(root: string): Promise<Violation[]> {
    const sources = readSources(root);
    return [
      ...topicNames(),
      ...samples(),
      ...stagesOfTopics(sources),
      ...unusedTopics(sources),
      ...statusTables(),
      ...exampleOfVariables(root),
    ];
  },
};

function topicNames(): Violation[] {
  const names = allTopics.map(({ name }) => name);
  return names
    .filter((name, index) => !TOPIC_NAME.test(name) || names.indexOf(name) !== index)
    .map((name) => ({
      file: TOPICS_FILE,
      rule: `topic ${name} is unique and of the form pipeline.<stage>.<what>.v<n>`,
      fix: 'Rename it.',
    }));
}

function samples(): Violation[] {
  const pairs: [Topic, unknown][] = [
    ...STAGES.map((stage): [Topic, unknown] => [topics.requested[stage], stageRequestSample(stage)]),
    ...STAGES.map((stage): [Topic, unknown] => [topics.dead[stage], deadLetterSample(stage)]),
    [topics.facts, factSample],
  ];
  const withoutSample = allTopics.filter((topic) => !pairs.some(([with_]) => with_.name === topic.name));
  return [
    ...withoutSample.map(({ name }) => ({
      file: TOPICS_FILE,
      rule: `topic ${name} has no sample`,
      fix: 'Add one to samples/system.sample.ts.',
    })),
    ...pairs.flatMap(([topic, sample]) => {
      const read = topic.schema.safeParse(sample);
      return read.success
        ? []
        : [
            {
              file: TOPICS_FILE,
              rule: `${topic.name} refuses its sample: ${read.error.message}`,
              fix: 'Correct the schema or the sample.',
            },
          ];
    }),
  ];
}

/** The stages that the workers define, read from their stage files. */
function definedStages(sources: readonly SourceFile[]): { file: string; stage: string | null }[] {
  return sources
    .filter(({ path }) => /^apps\/.*\.stage\.ts$/.test(path))
    .map(({ path, text }) => ({ file: path, stage: /\bname:\s*'([a-z]+)'/.exec(text)?.[1] ?? null }));
}

function stagesOfTopics(sources: readonly SourceFile[]): Violation[] {
  const defined = definedStages(sources);
  const nameless = defined.filter(({ stage }) => stage === null || !STAGES.includes(stage as Stage));
  return [
    ...nameless.map(({ file }) => ({ file, rule: 'a stage file names its stage', fix: `Give it name: one of ${STAGES.join(', ')}.` })),
    ...STAGES.flatMap((stage) => {
      const files = defined.filter((definition) => definition.stage === stage).map(({ file }) => file);
      if (files.length === 1) return [];
      const rule = `topic ${topics.requested[stage].name} has exactly one stage, found ${files.length} (${files.join(', ')})`;
      return [{ file: files[1] ?? TOPICS_FILE, rule, fix: 'Define the stage once.' }];
    }),
  ];
}

/** A topic needs code that publishes or reads it. */
function unusedTopics(sources: readonly SourceFile[]): Violation[] {
  const code = sources.filter(
    ({ path }) => /^(apps|libs)\//.test(path) && !path.startsWith('libs/contracts/') && !/\.spec\.tsx?$/.test(path),
  );
  const kinds = [
    { kind: 'requested', mark: /topics\.requested\b|requestTopic\(/ },
    { kind: 'dead', mark: /topics\.dead\b/ },
    { kind: 'facts', mark: /topics\.facts\b/ },
  ];
  return kinds
    .filter(({ mark }) => !code.some(({ text }) => mark.test(text)))
    .map(({ kind }) => ({ file: TOPICS_FILE, rule: `topics.${kind} is never used`, fix: 'Publish or read it, or remove it.' }));
}

function statusTables(): Violation[] {
  return UNREACHABLE_STATUSES.flatMap(([subject, statuses]) =>
    statuses.map((status) => ({
      file: 'libs/domain/src/pipeline/item-state.ts',
      rule: `status ${status} of ${subject} cannot be reached`,
      fix: 'Add the transition that leads to it, or remove it.',
    })),
  );
}

/** The example is generated from the list of variables. */
function exampleOfVariables(root: string): Violation[] {
  const file = path.join(root, '.env.example');
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === envExample()) return [];
  return [{ file: '.env.example', rule: 'lists exactly the variables of libs/config', fix: 'node tools/local/run.mjs env-example' }];
}
