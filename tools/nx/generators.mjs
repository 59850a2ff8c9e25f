import prettier from 'prettier';

const CATALOGUE = 'libs/contracts/src/stages/stage-catalogue.ts';

/** `nx g ./tools/nx:stage translate --app=ai-worker --after=dmca` adds a stage that an item passes after another one. */
export async function stage(tree, { name, app, after }) {
  const catalogue = tree.read(CATALOGUE, 'utf8');
  if (entryEnd(name).test(catalogue)) throw new Error(`${CATALOGUE} already contains a stage ${name}.`);
  const previous = entryEnd(after).exec(catalogue)?.[0] ?? '';
  if (!previous.includes("subject: 'item'") || previous.includes("doneState: 'ready'")) {
    throw new Error(`--after=${after} must be an item stage other than the last one, whose items are ready for the queue.`);
  }
  const [folder, active, done] = [`apps/${app}/src/${name}`, `${name}Active`, `${name}Done`];
  await create(
    tree,
    `${folder}/${name}.stage.ts`,
    `import { defineStage } from '@autoposter/job-engine';
import type { ContentItem } from '@autoposter/persistence';
import { ${name}Commit } from './${name}.commit';
import { ${name}Item } from './steps/${name}-item.step';

export const ${name}Stage = defineStage({
  name: '${name}',
  limits: { timeoutMs: 60_000, slots: 1 },
  async load(uow, job): Promise<ContentItem | null> {
    const item = await uow.items.find(job.subjectId);
    return item?.state === '${active}' ? item : null;
  },
  steps: [${name}Item],
  commit: ${name}Commit,
});
`,
  );
  await create(
    tree,
    `${folder}/${name}.commit.ts`,
    `import type { StageCommit } from '@autoposter/job-engine';
import type { ContentItem } from '@autoposter/persistence';
import { advance, failItem } from '@autoposter/workflow';

export const ${name}Commit: StageCommit<ContentItem, null> = {
  async done(uow, item, _output, job) {
    const trigger = { by: 'stage', finished: '${name}' } as const;
    await advance(uow, await uow.items.lock(item.id), trigger, { actor: '${app}', correlationId: job.correlationId });
  },
  async skipped(uow, item, reason, details) {
    await uow.skipped.recordItem(item, reason, details);
  },
  async failed(uow, item, failure, step) {
    await failItem(uow, await uow.items.lock(item.id), '${name}', failure, step);
  },
};
`,
  );
  await create(
    tree,
    `${folder}/steps/${name}-item.step.ts`,
    `import { defineStep, done } from '@autoposter/job-engine';
import type { ContentItem } from '@autoposter/persistence';

export const ${name}Item = defineStep<ContentItem, null>({
  name: '${name}-item',
  effect: 'pure',
  run: () => Promise.resolve(done(null)),
});
`,
  );
  await insert(
    tree,
    CATALOGUE,
    entryEnd(after),
    `  {
    name: '${name}',
    app: '${app}',
    label: '${title(name)}',
    title: '${title(name)}',
    purpose: 'Describe what the stage does',
    subject: 'item',
    topicKey: 'itemId',
    attempts: 3,
    facts: {
      requested: '${title(name)} requested',
      started: '${title(name)} started',
      completed: '${title(name)} completed',
      failed: '${title(name)} failed',
    },
    activeState: '${active}',
    doneState: '${done}',
    alsoStartsFrom: [],
    entryError: 'Describe which posts can enter the stage',
    progress: { waiting: 'Waiting for ${name}', active: 'In ${name}', failed: 'Failed at ${name}' },
  },
`,
  );
  await insert(
    tree,
    'charts/autoposter/values.yaml',
    new RegExp(`^  ${after}: \\{.*\\}\\n`, 'm'),
    `  ${name}: { app: ${app}, lagPerPod: 1 }\n`,
  );
  await insert(
    tree,
    `apps/${app}/src/main.ts`,
    /^import \{[^}]*\} from '@autoposter\/job-engine';\n/m,
    `import { ${name}Stage } from './${name}/${name}.stage';\n`,
  );
  await insert(tree, `apps/${app}/src/main.ts`, /return \[/, `bindStage(${name}Stage, {}), `);
  await migration(tree, name, [active, done]);
}

/** Extends the CHECK constraints that list stages and item states. The new values only add, so older pods keep working. */
async function migration(tree, name, states) {
  const folder = 'libs/persistence/src/migrations';
  const subject = `add${pascal(name)}Stage`;
  const added = [
    ['stage_jobs', 'stage', [name]],
    ['content_items', 'failed_stage', [name]],
    ['content_items', 'state', states],
  ].map(([table, column, values]) => `('${table}', '${column}', '{${values.join(',')}}'::text[])`);
  await insert(
    tree,
    `${folder}/jobs.ts`,
    /[^]*/,
    `
/** Allows the stage \`${name}\` and its item states. NOT VALID: all rows satisfy the shorter list, so no table is scanned under its lock. */
export const ${subject}: Migration = {
  name: '${pascal(subject)}${Date.now()}',
  up: [
    \`DO $migration$
    DECLARE extended record; allowed text;
    BEGIN
      FOR extended IN SELECT tab, col, tab || '_' || col || '_check' AS name, added FROM (VALUES
        ${added.join(',\n        ')}) AS extended_columns (tab, col, added) LOOP
        SELECT string_agg(quote_literal(value), ',' ORDER BY value) INTO allowed FROM (
          SELECT (regexp_matches(pg_get_constraintdef(oid), '''([^'']+)''', 'g'))[1] AS value FROM pg_constraint
            WHERE conname = extended.name AND conrelid = extended.tab::regclass
          UNION SELECT unnest(extended.added)) AS known;
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', extended.tab, extended.name);
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I IN (%s)) NOT VALID', extended.tab, extended.name, extended.col, allowed);
      END LOOP;
    END $migration$\`,
  ],
  // rows with the new values would violate the old constraints, so they stay allowed
  down: [],
};
`,
  );
  await insert(tree, `${folder}/migrations.ts`, /^export const MIGRATIONS.*= \[\n(?: +[\w.]+,\n)+/m, `  jobs.${subject},\n`);
}

/** `nx g ./tools/nx:resource comments` adds a resource with one route, GET /api/comments. */
export async function resource(tree, { name }) {
  const [constant, type] = [camel(name), pascal(name)];
  await create(
    tree,
    `libs/contracts/src/api/${name}.api.ts`,
    `import { z } from 'zod';
import { successOf } from './envelope.api';
import { defineRoutes, get } from './route';

export const ${constant}Schema = z.object({ count: z.int().min(0) });
export type ${type} = z.infer<typeof ${constant}Schema>;

export const ${constant}Routes = defineRoutes({
  list: get('/api/${name}', 'Describe the answer', { response: successOf(${constant}Schema) }),
});
`,
  );
  await insert(tree, 'libs/contracts/src/index.ts', /^export \* from '.\/api\/route';\n/m, `export * from './api/${name}.api';\n`);
  await insert(
    tree,
    'libs/contracts/src/api/routes.ts',
    /^(?:import .*\n)*?(?=import type \{ Route \})/m,
    `import { ${constant}Routes } from './${name}.api';\n`,
  );
  await insert(tree, 'libs/contracts/src/api/routes.ts', /^export const api = \{\n/m, `  ${constant}: ${constant}Routes,\n`);
  await insert(
    tree,
    'libs/contracts/src/samples/api.sample.ts',
    /^export const apiSamples = \{\n/m,
    `  ${constant}: { list: { response: ok({ count: 0 }) } },\n`,
  );
  const folder = `apps/gateway/src/${name}`;
  await create(
    tree,
    `${folder}/${name}.controller.ts`,
    `import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { ApiRoute } from '../http/api-route';
import { ${type}Service } from './${name}.service';

@Controller()
export class ${type}Controller {
  constructor(private readonly ${constant}: ${type}Service) {}

  @ApiRoute(api.${constant}.list)
  async list() {
    return { success: true, data: await this.${constant}.list() };
  }
}
`,
  );
  await create(
    tree,
    `${folder}/${name}.service.ts`,
    `import { Injectable } from '@nestjs/common';
import type { ${type} } from '@autoposter/contracts';

@Injectable()
export class ${type}Service {
  list(): Promise<${type}> {
    return Promise.resolve({ count: 0 });
  }
}
`,
  );
  await create(
    tree,
    `${folder}/${name}.service.spec.ts`,
    `import { ${type}Service } from './${name}.service';

describe('${type}Service', () => {
  it('lists nothing in an empty database', async () => {
    expect(await new ${type}Service().list()).toEqual({ count: 0 });
  });
});
`,
  );
  const module = 'apps/gateway/src/app.module.ts';
  await insert(
    tree,
    module,
    /^import \{ SystemsModule.*\n/m,
    `import { ${type}Controller } from './${name}/${name}.controller';\nimport { ${type}Service } from './${name}/${name}.service';\n`,
  );
  await insert(tree, module, /^const CONTROLLERS = \[\n/m, `  ${type}Controller,\n`);
  await insert(tree, module, /^const SERVICES = \[\n/m, `  ${type}Service,\n`);
}

/** `nx g ./tools/nx:screen comments` adds /admin/comments. */
export async function screen(tree, { name }) {
  const [type, textName] = [pascal(name), `${name.toUpperCase().replaceAll('-', '_')}_TEXT`];
  const folder = `apps/console/src/screens/${name}`;
  await create(
    tree,
    `${folder}/${name}.screen.tsx`,
    `import { Page } from '../../ui/layout';
import { ${textName} as TEXT } from '../../text/${name}.text';

export function ${type}Screen() {
  return <Page title={TEXT.title}>{TEXT.empty}</Page>;
}
`,
  );
  await create(
    tree,
    `apps/console/src/text/${name}.text.ts`,
    `export const ${textName} = { title: '${title(name)}', empty: 'Nothing here yet' } as const;\n`,
  );
  await insert(
    tree,
    'apps/console/src/app/router.tsx',
    /^ +\/\/ Former path of the subreddit scheduler\.\n/m,
    `          { path: '${name}', lazy: async () => ({ Component: (await import('../screens/${name}/${name}.screen')).${type}Screen }) },\n`,
    'before',
  );
}

const entryEnd = (stageName) => new RegExp(`    name: '${stageName}',\\n(?:(?!^  \\},\\n)[^])*?^  \\},\\n`, 'm');
const pascal = (name) =>
  name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');
const camel = (name) => pascal(name)[0].toLowerCase() + pascal(name).slice(1);
const title = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ');

/** Inserts text after (or before) the first match; the file changed its form when there is none. */
async function insert(tree, file, anchor, text, where = 'after') {
  const before = tree.read(file, 'utf8');
  const match = anchor.exec(before);
  if (match === null)
    throw new Error(`${file} has no place that matches ${anchor}: add this by hand and correct tools/nx/generators.mjs:\n${text}`);
  const at = where === 'after' ? match.index + match[0].length : match.index;
  await write(tree, file, before.slice(0, at) + text + before.slice(at));
}

/** A name that exists already would lose its files: nothing is written, because Nx writes only after the generator has ended. */
async function create(tree, file, text) {
  if (tree.exists(file)) throw new Error(`${file} exists already: choose another name.`);
  await write(tree, file, text);
}

async function write(tree, file, text) {
  const options = { singleQuote: true, printWidth: 140, trailingComma: 'all', filepath: file };
  tree.write(file, /\.(ts|tsx)$/.test(file) ? await prettier.format(text, options) : text);
}
