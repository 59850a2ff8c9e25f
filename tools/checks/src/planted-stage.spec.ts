import type * as Contracts from '@autoposter/contracts';
import type * as Domain from '@autoposter/domain';
import type * as Persistence from '@autoposter/persistence';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the spec replaces this module of the library by its path
import type * as Catalogue from '../../../libs/contracts/src/stages/stage-catalogue';

const CATALOGUE = '../../../libs/contracts/src/stages/stage-catalogue';

const WATERMARK: Catalogue.StageEntry = {
  name: 'watermark',
  app: 'watermark-worker',
  label: 'Watermark',
  title: 'Watermark',
  purpose: 'Puts a watermark on Reels',
  subject: 'item',
  topicKey: 'itemId',
  attempts: 7,
  facts: { requested: 'Requested', started: 'Started', completed: 'Completed', skipped: 'Left out', failed: 'Failed' },
  factOnSkip: 'skipped',
  activeState: 'watermarking',
  doneState: 'watermarked',
  alsoStartsFrom: [],
  entryError: 'Only a protected post can get a watermark',
  processAll: { title: 'Watermarks', batchSize: 2, delayBetweenFilesMs: 100, maxFiles: 9 },
  stopBefore: { value: 'watermark', label: 'Stop at the watermark', description: 'Posts wait before the watermark.' },
  writesMedia: true,
  progress: { waiting: 'Waiting for its watermark', active: 'Getting its watermark', failed: 'Failed at the watermark' },
};

/** Stages that are added later are left out, so that they do not change what is expected here. */
const KNOWN_STAGES: readonly string[] = ['collect', 'download', 'dmca', 'ai', 'post', 'reconcile', 'retrieve', 'register'];

interface Product {
  contracts: typeof Contracts;
  domain: typeof Domain;
  persistence: typeof Persistence;
}

/** The real libraries, loaded on top of a catalogue with one more entry after `dmca`. */
function loadWithPlantedStage(): Product {
  const product = {} as Product;
  jest.isolateModules(() => {
    jest.doMock(CATALOGUE, () => {
      const actual = jest.requireActual<typeof Catalogue>(CATALOGUE);
      const known = (actual.STAGE_CATALOGUE as Catalogue.StageCatalogue).filter(({ name }) => KNOWN_STAGES.includes(name));
      const after = known.findIndex(({ name }) => name === 'dmca') + 1;
      return { ...actual, STAGE_CATALOGUE: known.toSpliced(after, 0, WATERMARK) };
    });
    product.contracts = jest.requireActual('@autoposter/contracts');
    product.domain = jest.requireActual('@autoposter/domain');
    product.persistence = jest.requireActual('@autoposter/persistence');
  });
  return product;
}

describe('an additional catalogue entry', () => {
  const { contracts, domain, persistence } = loadWithPlantedStage();
  const name = 'watermark' as Contracts.ItemStage;

  it('gets topics, a consumer group, attempts and facts', () => {
    expect(contracts.STAGES).toEqual(['collect', 'download', 'dmca', 'watermark', 'ai', 'post', 'reconcile', 'retrieve', 'register']);
    expect(contracts.allTopics.map((topic) => topic.name)).toEqual(
      expect.arrayContaining(['pipeline.watermark.requested.v1', 'pipeline.watermark.dead.v1']),
    );
    expect(contracts.topics.requested[name]).toMatchObject({ key: 'itemId', stage: 'watermark' });
    expect(contracts.consumerGroup(name)).toBe('watermark-worker.watermark');
    expect(contracts.WORKER_APPS).toContain('watermark-worker');
    expect(contracts.STAGE_ATTEMPTS[name]).toBe(7);
    expect(contracts.STAGE_FACTS.factOnSkip[name]).toBe('watermark.skipped');
    expect(contracts.FACT_TYPES).toEqual(expect.arrayContaining(['watermark.requested', 'watermark.skipped', 'watermark.failed']));
    expect(contracts.topics.requested[name].schema.safeParse(contracts.stageRequestSample(name)).success).toBe(true);
  });

  it('is accepted by the API schemas', () => {
    const { overviewSchema, overviewSample, deadLettersQuerySchema, replayAllBodySchema, LIMITS } = contracts;
    expect(overviewSchema.parse(overviewSample).stages).toHaveProperty('watermark');
    const { watermark: _removed, ...stages } = overviewSample.stages as Record<string, unknown>;
    expect(overviewSchema.safeParse({ ...overviewSample, stages }).success).toBe(false);
    expect(deadLettersQuerySchema.parse({ stage: 'watermark' }).stage).toBe('watermark');
    expect(replayAllBodySchema.safeParse({ stage: 'watermark' }).success).toBe(true);
    expect(LIMITS.processAll).toMatchObject({ watermark: { batchSize: 2, maxFiles: 9 } });
    expect(contracts.AUTO_PROCESS_STAGE_OPTIONS.map(({ value }) => value)).toEqual([
      'dmcaProtection',
      'watermark',
      'aiCaption',
      'processedContent',
      'queuePost',
    ]);
  });

  it('gets states and transitions, all of them reachable', () => {
    const { ITEM_FLOW, ITEM_TRANSITIONS, INITIAL_ITEM_STATES, DOWNLOAD_STATUS_OF, unreachableStatuses } = domain;
    expect(ITEM_FLOW.waitingStates).toMatchObject({ watermark: 'protected', ai: 'watermarked' });
    expect(ITEM_FLOW.activeStates).toHaveProperty('watermark', 'watermarking');
    expect(ITEM_TRANSITIONS).toMatchObject({
      protecting: expect.arrayContaining(['watermarking']),
      protected: expect.arrayContaining(['watermarking', 'blocked']),
      watermarking: ['protected', 'watermarked', 'captioning', 'blocked', 'failed', 'deleted'],
      watermarked: expect.arrayContaining(['captioning', 'blocked']),
    });
    expect(unreachableStatuses(ITEM_TRANSITIONS, INITIAL_ITEM_STATES)).toEqual([]);
    expect(DOWNLOAD_STATUS_OF).toMatchObject({ watermarking: 'processing', watermarked: 'downloaded' });
    expect(ITEM_FLOW.rightsCheckedStates).toEqual(expect.arrayContaining(['watermarked', 'watermarking']));
  });

  it('is entered automatically, by a person, and on retry', () => {
    const item = { state: 'protecting', needsReview: false, failedStage: null } as unknown as Domain.ItemPosition;
    const after = (autoProcessStage: string, finished: string) =>
      domain.nextStage({ ...item, autoProcessStage } as Domain.ItemPosition, { by: 'stage', finished } as Domain.Trigger);
    expect(after('watermark', 'dmca')).toEqual({ wait: true, state: 'protected' });
    expect(after('aiCaption', 'dmca')).toEqual({ enter: 'watermark', state: 'watermarking' });
    expect(after('aiCaption', 'watermark')).toEqual({ wait: true, state: 'watermarked' });
    const byPerson = (change: object) => domain.nextStage({ ...item, ...change } as Domain.ItemPosition, { by: 'person', wants: name });
    expect(byPerson({ state: 'protected' })).toEqual({ enter: 'watermark', state: 'watermarking' });
    expect(byPerson({ state: 'failed', failedStage: 'watermark' })).toEqual({ enter: 'watermark', state: 'watermarking' });
    expect(byPerson({ state: 'downloaded' })).toMatchObject({
      refuse: { code: 'item_in_wrong_state', message: 'Only a protected post can get a watermark; this one is downloaded.' },
    });
  });

  it('is part of every SQL filter over stages', () => {
    expect(persistence.STAGE_SQL).toMatchObject({
      beforePublishing: "('collect','download','dmca','watermark','ai')",
      withItemState: "('download','dmca','watermark','ai','post')",
      writingMedia: "('download','dmca','watermark')",
      activeStates: "(('download','downloading'),('dmca','protecting'),('watermark','watermarking'),('ai','captioning'))",
    });
  });

  it('gets labels for people', () => {
    expect(contracts.STAGE_LABELS[name]).toBe('Watermark');
    expect(contracts.STAGE_FACTS.factLabels).toMatchObject({ 'watermark.skipped': 'Left out' });
  });
});
