import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { topics, consumerGroup, APP_OF_STAGE, WORKER_APPS } = await load('libs/contracts/src/index.ts');
const APPS = ['gateway', ...WORKER_APPS];
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** Compares the chart with the code. Takes the rendered documents by values file; yields the name and the problems of each comparison. */
export async function* agreements(rendered) {
  const { VARIABLES } = await load('libs/config/src/variables.ts');
  const { READERS } = await load('libs/config/src/service-environment.ts');
  const { environmentCredentials } = await load('tools/simulators/src/credentials.ts');
  const stages = Object.keys(topics.requested);
  yield ['triggers and topics', triggerProblems(rendered, { topics, consumerGroup, APP_OF_STAGE, stages })];
  yield ['variables of the services', variableProblems(rendered, VARIABLES)];
  yield ['variables that each service reads, in the chart', readerProblems(READERS, chartEnvironments(rendered))];
  yield ['variables that each service reads, in compose', readerProblems(READERS, composeEnvironments())];
  yield ['slots of the stages', slotProblems(stages, APP_OF_STAGE)];
  yield ['credentials of the simulators', credentialProblems(rendered, environmentCredentials('facebook'))];
  yield ['images of the quickstart', imageProblems()];
  yield ['variables of compose', composeProblems(VARIABLES)];
}

/** Bundles a TypeScript file and imports it. */
async function load(file) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: path.join(ROOT, file),
    cwd: ROOT,
    platform: 'node',
    tsconfig: path.join(ROOT, 'tsconfig.base.json'),
    external: (id) => !/^(\.|@autoposter\/|@oxc-project\/|\/|\0)/.test(id),
    logLevel: 'silent',
  });
  const target = path.join(ROOT, 'dist/charts', `${path.basename(file, '.ts')}.mjs`);
  await build.write({ file: target, format: 'esm', codeSplitting: false });
  await build.close();
  return import(pathToFileURL(target).href);
}

const all = (rendered, kind) =>
  [...rendered].flatMap(([values, documents]) => documents.filter((one) => one.kind === kind).map((document) => ({ values, document })));

function triggerProblems(rendered, { topics, consumerGroup, APP_OF_STAGE, stages }) {
  const problems = [];
  const seen = new Map();
  for (const { values, document } of all(rendered, 'ScaledObject')) {
    const { triggers, maxReplicaCount } = document.spec;
    for (const { name: stage, metadata } of triggers) {
      const topic = topics.requested[stage];
      const where = `${values}: ${document.metadata.name}, ${stage}`;
      if (!topic) problems.push(`${where}: unknown stage`);
      else {
        const app = APP_OF_STAGE[stage];
        if (!document.spec.scaleTargetRef.name.endsWith(`-${app}`)) problems.push(`${where}: belongs to ${app}`);
        if (metadata.topic !== topic.name) problems.push(`${where}: topic ${metadata.topic} instead of ${topic.name}`);
        if (metadata.consumerGroup !== consumerGroup(stage)) problems.push(`${where}: group ${metadata.consumerGroup}`);
        if (maxReplicaCount > topic.partitions) problems.push(`${where}: more pods than partitions`);
      }
      seen.set(values, (seen.get(values) ?? new Set()).add(stage));
    }
  }
  for (const [values, found] of seen)
    problems.push(...stages.filter((one) => !found.has(one)).map((one) => `${values}: no trigger for ${one}`));
  return seen.size === 0 ? ['no ScaledObject was rendered'] : problems;
}

function variableProblems(rendered, variables) {
  const problems = new Set();
  for (const { values, document } of all(rendered, 'Deployment')) {
    for (const { name: app, env = [], image } of document.spec.template.spec.containers) {
      if (!APPS.includes(app)) continue;
      const names = env.map(({ name }) => name);
      for (const { name, value } of env) {
        if (!variables[name]) problems.add(`${app}: no service reads ${name}`);
        else if (variables[name].secret && value !== undefined) problems.add(`${app}: ${name} is secret and not from a secret`);
        else if (value !== undefined && !variables[name].schema.safeParse(value).success)
          problems.add(`${values}, ${app}: ${name}=${value} would be refused`);
      }
      for (const name of names.filter((one, index) => names.indexOf(one) !== index)) problems.add(`${app}: ${name} occurs twice`);
      for (const [name, { requiredBy = [] }] of Object.entries(variables)) {
        if (requiredBy.includes(app) && !names.includes(name)) problems.add(`${values}, ${app}: needs ${name}`);
      }
      if (!image) problems.add(`${app}: has no image`);
    }
  }
  return [...problems];
}

function slotProblems(stages, APP_OF_STAGE) {
  const values = parse(read('charts/autoposter/values.yaml'), { merge: true });
  return stages.flatMap((stage) => {
    const slots = Number(/slots: (\d+)/.exec(read(`apps/${APP_OF_STAGE[stage]}/src/${stage}/${stage}.stage.ts`))?.[1]);
    const { app, lagPerPod } = values.stages[stage] ?? {};
    if (app !== APP_OF_STAGE[stage]) return [`${stage}: runs in ${APP_OF_STAGE[stage]}, the values say ${app}`];
    return slots === lagPerPod ? [] : [`${stage}: a pod takes ${slots} jobs at a time, lagPerPod is ${lagPerPod}`];
  });
}

function credentialProblems(rendered, credentials) {
  const secret = all(rendered, 'Secret').find(({ document }) => document.metadata.name.endsWith('-simulated'))?.document.stringData ?? {};
  const demo = Object.assign({}, ...APPS.map((app) => compose('docker/compose.demo.yaml')[app].environment));
  const differs = (where, name, value) =>
    value === undefined || value === credentials[name] ? [] : [`${where}: the simulators do not accept ${name}`];
  return [
    ...(secret.JWT_SECRET ? [] : ['no secret for the simulators was rendered']),
    ...Object.keys(credentials).flatMap((name) => [
      ...differs('quickstart', name, secret[name]),
      ...differs('compose.demo.yaml', name, demo[name]),
      ...(name in demo ? [] : [`compose.demo.yaml: ${name} is missing`]),
    ]),
  ];
}

function imageProblems() {
  const { quickstart } = parse(read('charts/autoposter/values.yaml'), { merge: true });
  const named = Object.fromEntries(
    read('docker/images.env')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  return ['postgres', 'kafka', 'minio'].flatMap((system) => {
    const wanted = named[`${system.toUpperCase()}_IMAGE`];
    return quickstart[system].image === wanted ? [] : [`${system}: ${quickstart[system].image} instead of ${wanted}`];
  });
}

function composeProblems(variables) {
  const names = ['docker/compose.yaml', 'docker/compose.demo.yaml'].flatMap((file) =>
    APPS.flatMap((app) => Object.keys(compose(file)[app].environment)),
  );
  return [...new Set(names)].filter((name) => !variables[name]).map((name) => `no service reads ${name}`);
}

const compose = (file) => parse(read(file), { merge: true }).services;

/** Names of the variables of each service, by source. */
function chartEnvironments(rendered) {
  const environments = new Map();
  for (const { values, document } of all(rendered, 'Deployment')) {
    for (const { name: app, env = [] } of document.spec.template.spec.containers) {
      if (!APPS.includes(app)) continue;
      environments.set(values, { ...environments.get(values), [app]: env.map(({ name }) => name) });
    }
  }
  return environments;
}

const composeEnvironments = () =>
  new Map(
    ['docker/compose.yaml', 'docker/compose.demo.yaml'].map((file) => [
      file,
      Object.fromEntries(APPS.map((app) => [app, Object.keys(compose(file)[app].environment)])),
    ]),
  );

/**
 * A browser does not reach the login pages of simulators in containers: there the gateway gets no application and offers no connection of
 * further accounts.
 */
const isLeftOut = (where, app, name) =>
  ['values.quickstart.yaml', 'docker/compose.demo.yaml'].includes(where) &&
  app === 'gateway' &&
  ['INSTAGRAM_APP_ID', 'FACEBOOK_APP_ID'].includes(name);

/** A service has no variable that it does not read, and every variable that it reads and another service has. */
function readerProblems(readers, environments) {
  const problems = [];
  for (const [where, services] of environments) {
    const given = new Set(Object.values(services).flat());
    for (const [app, names] of Object.entries(services)) {
      const reads = (name) => readers[name]?.includes(app) ?? true;
      problems.push(...names.filter((name) => !reads(name)).map((name) => `${where}: ${app} has ${name}, which it does not read`));
      for (const name of given) {
        if (!readers[name] || !reads(name) || names.includes(name) || isLeftOut(where, app, name)) continue;
        problems.push(`${where}: ${app} lacks ${name}`);
      }
    }
    const missing = APPS.filter((app) => !services[app]);
    problems.push(...missing.map((app) => `${where}: ${app} is missing`));
  }
  return environments.size === 0 ? ['no environment was found'] : problems;
}
