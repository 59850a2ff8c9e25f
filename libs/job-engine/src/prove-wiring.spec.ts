import { type AnyStage, bindStage, defineStage } from './define-stage';
import { defineStep, done } from './define-step';
import { proveWiring } from './prove-wiring';

interface Item {
  id: string;
}

const count = defineStep<Item, number, { counter: () => number }>({
  name: 'count',
  effect: 'read',
  run: (_item, { counter }) => Promise.resolve(done(counter())),
});
const spell = defineStep<number, string, { words: string[] }>({
  name: 'spell',
  effect: 'pure',
  run: (value, { words }) => Promise.resolve(done(words[value] ?? '')),
});

const commit = { done: () => Promise.resolve(), skipped: () => Promise.resolve(), failed: () => Promise.resolve() };
const limits = { timeoutMs: 1000, slots: 1 };
const load = () => Promise.resolve({ id: 'x' });

const stage = (name: AnyStage['name'], change: Partial<AnyStage> = {}): AnyStage =>
  ({
    ...defineStage({ name, limits, load, steps: [count, spell], commit }),
    ...change,
  }) as unknown as AnyStage;

const faults = (stages: AnyStage[], app: string): readonly string[] => {
  try {
    proveWiring(stages, app);
    return [];
  } catch (error) {
    const [title, ...lines] = (error as Error).message.split('\n  ');
    expect(title).toBe('The process is not wired correctly:');
    return lines;
  }
};
/** Of the only stage of its application. */
const faultsOf = (change: Partial<AnyStage>): readonly string[] => faults([stage('ai', change)], 'ai-worker');

describe('defineStage', () => {
  it('does not compile with steps in a wrong order', () => {
    // @ts-expect-error -- `spell` takes a number, but the stage's input is an item
    defineStage<Item, readonly [typeof spell, typeof count]>({ name: 'ai', limits, load, steps: [spell, count], commit });
    // @ts-expect-error -- the same with inferred types
    defineStage({ name: 'ai', limits, load, steps: [spell, count], commit });
    const right = defineStage<Item, readonly [typeof count, typeof spell]>({ name: 'ai', limits, load, steps: [count, spell], commit });
    expect(right.steps.map((step) => step.name)).toEqual(['count', 'spell']);
  });

  it('does not compile with a commit that expects another output', () => {
    const wrong = { ...commit, done: (_uow: unknown, _input: Item, _output: number) => Promise.resolve() };
    // @ts-expect-error -- the last step returns a string
    defineStage<Item, readonly [typeof count, typeof spell]>({ name: 'ai', limits, load, steps: [count, spell], commit: wrong });
    expect(wrong.done.length).toBe(3);
  });

  it('does not bind without all tools of all steps', () => {
    const whole = defineStage({ name: 'ai', limits, load, steps: [count, spell], commit });
    expect(bindStage(whole, { counter: () => 1, words: [] }).tools).toBeDefined();
    // @ts-expect-error -- `words` is missing
    expect(bindStage(whole, { counter: () => 1 }).tools).toBeDefined();
  });
});

describe('proveWiring', () => {
  it('accepts the stages of an application', () => {
    expect(faults([stage('collect'), stage('download'), stage('retrieve')], 'downloader')).toEqual([]);
    expect(faults([stage('ai')], 'ai-worker')).toEqual([]);
  });

  it('refuses a missing stage, a duplicate and a stage of another application', () => {
    expect(faults([stage('collect'), stage('retrieve')], 'downloader')).toEqual([
      expect.stringContaining('Nothing consumes the requests of download'),
    ]);
    expect(faults([stage('ai'), stage('ai')], 'ai-worker')).toEqual([expect.stringContaining('ai is defined 2 times')]);
    expect(faults([stage('ai'), stage('dmca')], 'ai-worker')).toEqual(['The stage dmca does not belong to ai-worker.']);
  });

  it('refuses duplicate step names, a stage without steps and limits below 1', () => {
    expect(faultsOf({ steps: [count, count] })).toEqual([expect.stringContaining('two steps called count')]);
    expect(faultsOf({ steps: [] })).toEqual([expect.stringContaining('has no steps')]);
    expect(faultsOf({ limits: { timeoutMs: Number.NaN, slots: 0 } })).toHaveLength(2);
  });

  it('requires the intent and unknown commits for an irreversible step', () => {
    const publish = defineStep({ name: 'publish', effect: 'irreversible', run: () => Promise.resolve(done(null)) });
    const lacks = [expect.stringContaining('has an irreversible step but lacks')];
    expect(faultsOf({ steps: [publish] })).toEqual(lacks);
    for (const name of ['intended', 'unknown'])
      expect(faultsOf({ steps: [publish], commit: { ...commit, [name]: () => Promise.resolve() } })).toEqual(lacks);
    const whole = { ...commit, intended: () => Promise.resolve(), unknown: () => Promise.resolve() };
    expect(faultsOf({ steps: [publish], commit: whole })).toEqual([]);
  });
});
