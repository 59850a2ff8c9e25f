import { type Failure, failureOf } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';
import { contentItem, FakeDatabase, minutesFromNow, NOW, publishAttempt, stageJob } from '@autoposter/testkit';
import { advance, failItem, recordError, resubmit } from './advance';

const ACTOR = 'admin@example.com';
const PERSON = (wants: 'download' | 'dmca' | 'ai' | 'queue') => ({ by: 'person', wants }) as const;
const AFTER = (finished: 'download' | 'dmca' | 'ai') => ({ by: 'stage', finished }) as const;
const unlimited = (values: Partial<ContentItem>) => contentItem({ autoProcessStage: 'queuePost', ...values });
const fakeWith = (stubs: Record<string, unknown> = {}) =>
  new FakeDatabase({ 'captions.of': { caption: 'A fox.', hashtags: [] }, ...stubs });
const stepOf = (fake: FakeDatabase) => fake.argsOf('items.transition')[0]?.[1];

describe('advance', () => {
  it('enters the next stage after a stage and updates the item', async () => {
    const fake = fakeWith();
    const item = unlimited({ state: 'downloading', failedStage: 'dmca', version: 4 });
    const moved = await advance(fake.uow, item, AFTER('download'), { actor: 'system', correlationId: 'c', patch: { title: 'Seen' } });
    expect(moved).toMatchObject({ outcome: 'entered', stage: 'dmca', state: 'protecting', job: { id: 'job-1' } });
    expect(item).toMatchObject({ state: 'protecting', version: 5, title: 'Seen', failedStage: null });
    expect(fake.argsOf('items.transitionStatement')[0]).toEqual([
      'item-1',
      { fromVersion: 4, from: 'downloading', to: 'protecting', patch: { failedStage: null, title: 'Seen' } },
    ]);
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({
      stage: 'dmca',
      subjectId: 'item-1',
      messageKey: 'item-1',
      correlationId: 'c',
    });
    expect([fake.events, fake.argsOf('items.rememberState'), fake.argsOf('skipped.resolve').length]).toMatchObject([
      [{ type: 'dmca.requested', state: 'protecting' }],
      [['item-1', 'protecting']],
      1,
    ]);
  });

  it.each([
    ['a request of a person', PERSON('dmca'), { state: 'downloaded', collectRunId: 'run' }, undefined, true],
    ['a pasted link', AFTER('download'), { state: 'downloading', collectRunId: null }, undefined, true],
    ['a collected post', AFTER('download'), { state: 'downloading', collectRunId: 'run' }, undefined, false],
    ['a request that says otherwise', PERSON('dmca'), { state: 'downloaded' }, false, false],
  ] as const)('decides whether a person waits: %s', async (_what, trigger, values, given, forPerson) => {
    const fake = fakeWith();
    await advance(fake.uow, unlimited(values), trigger, { actor: ACTOR, ...(given === undefined ? {} : { forPerson: given }) });
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({ forPerson });
  });

  it('delays a job with a due time', async () => {
    const fake = fakeWith();
    const delay = { dueAt: minutesFromNow(5), waitReason: 'Later.' };
    await advance(fake.uow, unlimited({ state: 'downloaded' }), PERSON('dmca'), { actor: ACTOR, ...delay, options: { tone: 'dry' } });
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({ state: 'waiting', ...delay, options: { tone: 'dry' } });
    expect(fake.argsOf('outbox.request')).toEqual([]);
  });

  it('waits where the setting of the item stops', async () => {
    const fake = fakeWith();
    const item = contentItem({ state: 'downloading', autoProcessStage: 'dmcaProtection' });
    expect(await advance(fake.uow, item, AFTER('download'), { actor: 'system' })).toEqual({ outcome: 'waiting', state: 'downloaded' });
    expect([item.state, fake.argsOf('jobs.createWith'), fake.argsOf('skipped.resolve').length]).toEqual(['downloaded', [], 1]);
  });

  it.each([
    ['an item in another state', { state: 'posted' }, {}, 'refused', 'this one is posted'],
    ['an item that was removed at its source', { state: 'downloaded', sourceRemovedAt: NOW }, {}, 'refused', 'source'],
    [
      'an item with an open job',
      { state: 'downloaded' },
      { 'jobs.createWith': null, 'jobs.findOpen': stageJob() },
      'refused',
      'This post is already being processed by dmca.',
    ],
  ] as const)('refuses %s', async (_what, values, stubs, outcome, reason) => {
    const fake = fakeWith(stubs);
    const item = unlimited(values);
    expect(await advance(fake.uow, item, PERSON('dmca'), { actor: ACTOR })).toEqual({
      outcome,
      reason: expect.stringContaining(reason) as string,
    });
    expect([item.state, fake.events, fake.argsOf('skipped.resolve')]).toEqual([values.state, [], []]);
  });

  it.each([
    ['entering a stage', PERSON('dmca'), { state: 'downloaded' }, { 'jobs.createWith': null }],
    ['waiting', AFTER('download'), { state: 'downloading', autoProcessStage: 'dmcaProtection' }, { 'items.transition': false }],
    ['queueing', AFTER('ai'), { state: 'captioning' }, { 'items.transition': false }],
  ] as const)('loses against a concurrent writer while %s', async (_what, trigger, values, stubs) => {
    const fake = fakeWith(stubs);
    const item = unlimited(values);
    expect(await advance(fake.uow, item, trigger, { actor: 'system' })).toEqual({ outcome: 'lost' });
    expect([item.state, fake.argsOf('skipped.resolve')]).toEqual([values.state, []]);
  });
});

describe('advance into the queue', () => {
  const ready = () => unlimited({ state: 'captioning', reviewReasons: [] });

  it('queues a caption that keeps to the rules', async () => {
    const fake = fakeWith();
    const item = ready();
    expect(await advance(fake.uow, item, AFTER('ai'), { actor: 'system', patch: { title: 'New' } })).toMatchObject({
      outcome: 'queued',
      state: 'queued',
    });
    expect([item.state, item.title, fake.argsOf('items.patch')]).toEqual(['queued', 'New', [['item-1', { title: 'New' }]]]);
  });

  it.each([
    ['breaks a limit', 'x'.repeat(2_300), [{ code: 'too_long', fields: { count: 2342 } }]],
    ['needs review', 'More at foxes.app/win', [{ code: 'contains_url' }]],
  ])('stops before the queue if the caption %s', async (_what, caption, reviewReasons) => {
    const fake = fakeWith({ 'captions.of': { caption, hashtags: [] } });
    const item = ready();
    expect(await advance(fake.uow, item, AFTER('ai'), { actor: 'system' })).toEqual({ outcome: 'waiting', state: 'ready' });
    expect(item).toMatchObject({ state: 'ready', needsReview: true, reviewReasons });
  });

  it('lets a person queue a caption that needs review', async () => {
    const fake = fakeWith({ 'captions.of': { caption: 'See evil-casino.app/win', hashtags: [] } });
    expect(await advance(fake.uow, unlimited({ state: 'ready' }), PERSON('queue'), { actor: ACTOR })).toMatchObject({ outcome: 'queued' });
  });

  it('refuses a person the caption that breaks a limit', async () => {
    const fake = fakeWith({ 'captions.of': { caption: '#a #b #c', hashtags: [] } });
    const request = { actor: ACTOR, maxHashtags: 2 };
    expect(await advance(fake.uow, unlimited({ state: 'ready' }), PERSON('queue'), request)).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('at most 2') as string,
    });
  });

  it('never queues an item that was published before', async () => {
    const published = publishAttempt({ state: 'published', permalink: null });
    const fake = fakeWith({ 'attempts.ofItems': new Map([['item-1', published]]) });
    expect(await advance(fake.uow, ready(), AFTER('ai'), { actor: 'system' })).toEqual({ outcome: 'waiting', state: 'ready' });
    expect(fake.argsOf('queue.create')).toEqual([]);
  });
});

describe('failItem', () => {
  const failure = failureOf('job_lost', { retried: false });

  it('fails the item at the stage and records the error', async () => {
    const fake = fakeWith();
    const item = unlimited({ state: 'captioning' });
    expect(await failItem(fake.uow, item, 'ai', failure, 'write-captions')).toBe(true);
    expect([stepOf(fake), item.state]).toMatchObject([{ to: 'failed', patch: { failedStage: 'ai' } }, 'failed']);
    expect(fake.argsOf('items.addError')[0]).toMatchObject(['item-1', { stage: 'ai', timestamp: NOW.toISOString(), kind: failure.kind }]);
  });

  it('records nothing if a concurrent writer changed the item', async () => {
    const fake = fakeWith({ 'items.transition': false });
    expect(await failItem(fake.uow, unlimited({ state: 'captioning' }), 'ai', failure, 'write-captions')).toBe(false);
    expect(fake.argsOf('items.addError')).toEqual([]);
  });
});

describe('recordError', () => {
  it.each<[string, Partial<Failure>, object]>([
    ['names the step of an unclassified failure', { kind: 'internal', message: 'Broken.' }, { message: 'Broken. (the-step)' }],
    ['keeps the message of any other failure', { kind: 'transient', message: 'Away.' }, { message: 'Away.' }],
    ['keeps the stage at which a retry starts', { resumeFrom: 'download' }, { resumeFrom: 'download' }],
  ])('%s', async (_what, values, error) => {
    const fake = fakeWith();
    await recordError(fake.uow, 'item-1', 'dmca', { ...failureOf('job_lost'), ...values }, 'the-step');
    expect(fake.argsOf('items.addError')[0]?.[1]).toMatchObject({ stage: 'dmca', ...error });
  });
});

describe('resubmit', () => {
  it.each(['deleted', 'discarded'] as const)('starts an item that is %s again, without its former errors', async (state) => {
    const fake = fakeWith();
    const item = contentItem({ state, retryCount: 2, needsReview: true, sourceRemovedAt: state === 'deleted' ? NOW : null });
    const { revived } = await resubmit(fake.uow, item, 'aiCaption', ACTOR);
    expect(revived).toMatchObject({ outcome: 'entered', stage: 'download' });
    expect(item).toMatchObject({
      state: 'downloading',
      autoProcessStage: 'aiCaption',
      processingErrors: [],
      retryCount: 0,
      needsReview: false,
      reviewReasons: [],
    });
  });

  it.each([
    ['keeps the setting of an item that goes further already', 'queuePost', 'dmcaProtection', 'downloaded', []],
    ['keeps the setting if both go equally far', 'queuePost', 'queuePost', 'downloaded', []],
    ['continues a waiting item that is now to be published', 'dmcaProtection', 'queuePost', 'downloaded', ['dmca']],
    ['leaves an item in progress where it is', 'dmcaProtection', 'queuePost', 'downloading', []],
    ['leaves a failed item where it is', 'dmcaProtection', 'queuePost', 'failed', []],
  ] as const)('%s', async (_what, before, stopsAt, state, stages) => {
    const fake = fakeWith();
    const item = contentItem({ state, autoProcessStage: before });
    expect(await resubmit(fake.uow, item, stopsAt, ACTOR)).toEqual({ revived: null });
    expect(fake.argsOf('jobs.createWith').map(([, job]) => (job as { stage: string }).stage)).toEqual(stages);
    expect(item.autoProcessStage).toBe('queuePost');
  });
});
