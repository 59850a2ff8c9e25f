import {
  FULL_AUTOMATION,
  QUEUE_STEP,
  STAGE_CATALOGUE,
  type AutoProcessOption,
  type StageCatalogue,
  type StageEntry,
} from './stage-catalogue';

type ItemEntryOf<C extends StageCatalogue> = Extract<C[number], { subject: 'item' }>;
type FactOf<E> = E extends StageEntry ? `${E['name']}.${keyof E['facts'] & string}` : never;
type ProcessAllOf<C extends StageCatalogue> = Extract<C[number], { processAll: object }>;
type StopOf<C extends StageCatalogue> = Extract<C[number], { stopBefore: AutoProcessOption }>['stopBefore'];

/** Derives from a catalogue what every package uses; the rules of the pipeline are derived in `libs/domain`. */
export function deriveStages<const C extends StageCatalogue>(catalogue: C) {
  type Name = C[number]['name'];
  type ItemName = ItemEntryOf<C>['name'];
  type App = C[number]['app'];
  type Fact = FactOf<C[number]>;
  type Option = StopOf<C> | typeof QUEUE_STEP.stopBefore | typeof FULL_AUTOMATION;

  const items = catalogue.filter((entry) => entry.subject === 'item');
  const names = (entries: StageCatalogue) => entries.map(({ name }) => name) as [Name, ...Name[]];
  const itemNames = (entries: StageCatalogue) => entries.map(({ name }) => name) as [ItemName, ...ItemName[]];
  const perStage = <V>(value: (entry: StageEntry) => V) =>
    Object.fromEntries(catalogue.map((entry) => [entry.name, value(entry)])) as Record<Name, V>;

  return {
    stages: names(catalogue),
    itemStages: itemNames(items),
    apps: [...new Set(catalogue.map(({ app }) => app))] as App[],
    appOf: perStage(({ app }) => app as App),
    consumerGroupOf: perStage(({ app, name }) => `${app}.${name}`),
    attemptsOf: perStage(({ attempts }) => attempts),
    labels: perStage(({ label }) => label),
    titles: perStage(({ title }) => title),
    purposes: perStage(({ purpose }) => purpose),
    factLabels: Object.fromEntries(
      catalogue.flatMap(({ name, facts }) => Object.entries(facts).map(([fact, label]) => [`${name}.${fact}`, label])),
    ) as Record<Fact, string>,
    factOnSkip: perStage(({ name, factOnSkip = 'completed' }) => `${name}.${factOnSkip}` as Fact),
    factOnUnknown: perStage(({ name, factOnUnknown = 'failed' }) => `${name}.${factOnUnknown}` as Fact),
    autoProcessOptions: [...items.flatMap(({ stopBefore }) => stopBefore ?? []), QUEUE_STEP.stopBefore, FULL_AUTOMATION] as Option[],
    processAll: Object.fromEntries(items.flatMap(({ name, processAll }) => (processAll ? [[name, processAll]] : []))) as {
      [E in ProcessAllOf<C> as E['name']]: E['processAll'];
    },
    /** Stages whose jobs move the item that they belong to. */
    withItemState: names(catalogue.filter(({ activeState }) => activeState !== undefined)),
    oneJobPerKey: names(catalogue.filter(({ oneJobPerKey }) => oneJobPerKey)),
    writingMedia: itemNames(items.filter(({ writesMedia }) => writesMedia)),
    acceptingManualResult: itemNames(items.filter(({ acceptsManualResult }) => acceptsManualResult)),
    afterRightsCheck: itemNames(items.slice(items.findIndex(({ role }) => role === 'checkRights') + 1)),
  };
}

type Entry = (typeof STAGE_CATALOGUE)[number];
type WithRole<R extends StageEntry['role']> = Extract<Entry, { role: R }>['name'];

export type Stage = Entry['name'];
/** A stage whose subject is a content item. */
export type ItemStage = ItemEntryOf<typeof STAGE_CATALOGUE>['name'];
export type StageFact = FactOf<Entry>;
/** An item stage that can be started for all waiting items at once. */
export type ProcessAllStage = ProcessAllOf<typeof STAGE_CATALOGUE>['name'];

export const STAGE_FACTS = deriveStages(STAGE_CATALOGUE);

export const STAGES = STAGE_FACTS.stages;
/** In the order in which an item passes them. */
export const ITEM_STAGES = STAGE_FACTS.itemStages;
export const WORKER_APPS = STAGE_FACTS.apps;
export const APP_OF_STAGE = STAGE_FACTS.appOf;
export const STAGE_ATTEMPTS = STAGE_FACTS.attemptsOf;
export const STAGE_LABELS = STAGE_FACTS.labels;

export type AutoProcessStage = (typeof STAGE_FACTS.autoProcessOptions)[number]['value'];
/** Where an item waits for a person. */
export const AUTO_PROCESS_STAGES = STAGE_FACTS.autoProcessOptions.map(({ value }) => value) as [AutoProcessStage, ...AutoProcessStage[]];

/** The most careful setting: an item waits for a person as early as possible. */
export const DEFAULT_AUTO_PROCESS_STAGE = AUTO_PROCESS_STAGES[0];

export const consumerGroup = (stage: Stage): string => STAGE_FACTS.consumerGroupOf[stage];

export const isItemStage = (stage: string): stage is ItemStage => (ITEM_STAGES as readonly string[]).includes(stage);

function stageWithRole<R extends NonNullable<StageEntry['role']>>(role: R): WithRole<R> {
  const entry = STAGE_CATALOGUE.find((one: StageEntry) => one.role === role);
  if (entry === undefined) throw new Error(`no stage has the role ${role}`);
  return entry.name as WithRole<R>;
}

/** The stages that other parts of the product use, by their role. */
export const COLLECT_STAGE = stageWithRole('collect');
export const FETCH_STAGE = stageWithRole('fetch');
export const RIGHTS_STAGE = stageWithRole('checkRights');
export const CAPTION_STAGE = stageWithRole('writeCaption');
export const PUBLISH_STAGE = stageWithRole('publish');
export const RECONCILE_STAGE = stageWithRole('reconcile');
export const FETCH_WORK_STAGE = stageWithRole('fetchWork');
export const REGISTER_STAGE = stageWithRole('registerWork');
