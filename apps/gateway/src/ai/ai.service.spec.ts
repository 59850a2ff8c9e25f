import { AiService } from './ai.service';
import { contentItem, FakeDatabase, stageJob } from '@autoposter/testkit';
import { gatewaySettings } from '../testing/fake-settings';
import type { ContentItem } from '@autoposter/persistence';
import { asReply } from '../testing/as-reply';

const ACTOR = 'admin@example.com';
const OPTIONS = { tone: 'engaging', length: 'medium', includeHashtags: true, targetAudience: 'general', callToAction: true } as const;

function arrange(item: Partial<ContentItem> | null, stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({ 'items.findForUpdate': item && contentItem(item), 'itemLists.find': { id: 'item-1' }, ...stubs });
  return { fake, service: new AiService(fake.database, gatewaySettings()) };
}

describe('AiService.process', () => {
  it('requests a caption for a protected item', async () => {
    const { fake, service } = arrange({ state: 'protected' });
    await expect(service.process('item-1', OPTIONS, ACTOR)).resolves.toEqual({ id: 'item-1', state: 'captioning', jobId: 'job-1' });
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({ stage: 'ai', forPerson: true, options: { ...OPTIONS, byPerson: true } });
  });

  it('replaces an idle job with one that has the new options', async () => {
    const { fake, service } = arrange({ state: 'captioning' }, { 'jobs.cancelIdle': true });
    await expect(service.process('item-1', OPTIONS, ACTOR)).resolves.toMatchObject({ state: 'captioning', jobId: 'job-1' });
    expect(fake.argsOf('jobs.create')).toHaveLength(1);
  });

  it.each([
    ['an unknown item', null, 404],
    ['a deleted item', { state: 'deleted' }, 404],
    ['an item whose caption is being written', { state: 'captioning' }, 409],
    ['a published item', { state: 'posted' }, 409],
  ] as const)('refuses %s', async (_what, item, status) => {
    const { fake, service } = arrange(item, { 'jobs.findOpen': stageJob() });
    await expect(asReply(service.process('item-1', OPTIONS, ACTOR))).rejects.toMatchObject({ status });
    expect(fake.argsOf('jobs.create')).toEqual([]);
  });

  it('refuses an item that a concurrent writer moved', async () => {
    const { service } = arrange({ state: 'protected' }, { 'jobs.createWith': null });
    await expect(asReply(service.process('item-1', OPTIONS, ACTOR))).rejects.toMatchObject({ status: 409 });
  });
});

describe('AiService.processAll', () => {
  it('reports accepted and skipped items', async () => {
    const { service } = arrange({ state: 'protected' }, { 'itemLists.countInStates': 2, 'itemLists.idsInState': ['item-1'] });
    const body = { ...OPTIONS, batchSize: 1, delayBetweenFiles: 5000, maxFiles: 1 };
    await expect(service.processAll(body, ACTOR)).resolves.toMatchObject({ success: true, processed: 1, total: 2, skipped: 1 });
  });
});

describe('AiService.discard', () => {
  it.each(['downloaded', 'protected', 'ready', 'failed', 'blocked', 'posted'] as const)('discards an item that is %s', async (state) => {
    const { fake, service } = arrange({ state });
    await service.discard('item-1', ACTOR);
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: state, to: 'discarded' });
    expect([fake.events.map(({ type }) => type), fake.auditActions]).toEqual([['item.discarded'], ['item.discard']]);
  });

  it('discards an item whose caption waits for a provider', async () => {
    const { fake, service } = arrange({ state: 'captioning' }, { 'jobs.cancelIdle': true });
    await service.discard('item-1', ACTOR);
    expect(fake.auditActions).toEqual(['item.discard']);
  });

  it('leaves a discarded item as it is', async () => {
    const { fake, service } = arrange({ state: 'discarded' });
    await service.discard('item-1', ACTOR);
    expect(fake.argsOf('items.transition')).toEqual([]);
  });

  it.each(['captioning', 'queued', 'posting', 'downloading'] as const)('refuses an item that is %s', async (state) => {
    const { fake, service } = arrange({ state });
    await expect(asReply(service.discard('item-1', ACTOR))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(state) as string,
    });
    expect(fake.auditActions).toEqual([]);
  });
});

describe('AiService.updateCaption', () => {
  const stored = { itemId: 'item-1', caption: 'Before', hashtags: ['one'], captionModel: 'gemini' };

  it('saves the text and its editor', async () => {
    const { fake, service } = arrange({ state: 'ready' }, { 'captions.of': stored });
    await service.updateCaption('item-1', { caption: 'After', hashtags: ['two'] }, ACTOR);
    expect(fake.argsOf('captions.save')[0]?.[0]).toMatchObject({ caption: 'After', hashtags: ['two'], editedBy: ACTOR });
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'item.edited', state: 'ready' }], ['item.edit_caption']]);
  });

  it.each([
    ['saves a text that replaces the seen one', { caption: 'Before', hashtags: ['#one'] }, stored, true],
    ['saves the first text where none was seen', { caption: '', hashtags: [] }, null, true],
    ['refuses a text if another caption is stored by now', { caption: 'Earlier', hashtags: ['#one'] }, stored, false],
    ['refuses a text if other hashtags are stored by now', { caption: 'Before', hashtags: [] }, stored, false],
    ['refuses a text if a first one was stored meanwhile', { caption: '', hashtags: [] }, stored, false],
  ])('%s', async (_what, replaces, before, isSaved) => {
    const { fake, service } = arrange({ state: before === null ? 'protected' : 'ready' }, { 'captions.of': before });
    const saved = asReply(service.updateCaption('item-1', { caption: 'After', replaces }, ACTOR));
    if (isSaved) await saved;
    else await expect(saved).rejects.toMatchObject({ status: 409, message: expect.stringContaining('changed meanwhile') as string });
    expect(fake.argsOf('captions.save')).toHaveLength(isSaved ? 1 : 0);
  });

  it('saves a caption of 2,200 characters and records that it is too long with its credit line', async () => {
    const { fake, service } = arrange({ state: 'ready', author: 'someone' }, { 'captions.of': stored });
    await service.updateCaption('item-1', { caption: 'x'.repeat(2_200) }, ACTOR);
    const { violations } = fake.argsOf('captions.save')[0]?.[0] as { violations: string[] };
    expect(violations).toEqual([expect.stringMatching(/^With its credit line of \d+ characters the caption has 22\d\d characters/)]);
  });

  it('makes an item ready for review if no model wrote its caption', async () => {
    const { fake, service } = arrange({ state: 'failed', failedStage: 'ai' });
    await service.updateCaption('item-1', { caption: 'By hand' }, ACTOR);
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ to: 'ready', patch: { failedStage: null, needsReview: true } });
  });

  it.each([
    ['a caption of 2,201 characters', { state: 'ready' }, { caption: 'x'.repeat(2_201) }, 422],
    ['hashtags beyond the limit', { state: 'ready' }, { caption: 'x', hashtags: ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'] }, 422],
    ['hashtags that do not fit below the caption', { state: 'ready' }, { caption: 'x'.repeat(2_170), hashtags: ['a'.repeat(50)] }, 422],
    ['the caption of a published item', { state: 'posted' }, { caption: 'x' }, 409],
    ['the caption of an item that is being published', { state: 'posting' }, { caption: 'x' }, 409],
    ['a caption while a model writes one', { state: 'captioning' }, { caption: 'x' }, 409],
    ['a caption for an item without a protected file', { state: 'downloaded' }, { caption: 'x' }, 409],
    ['a caption for an unknown item', null, { caption: 'x' }, 404],
  ] as const)('refuses %s', async (_what, item, body, status) => {
    const { fake, service } = arrange(item, { 'captions.of': item?.state === 'downloaded' ? null : stored });
    const given = 'hashtags' in body ? { ...body, hashtags: [...body.hashtags] } : body;
    await expect(asReply(service.updateCaption('item-1', given, ACTOR))).rejects.toMatchObject({ status });
    expect(fake.argsOf('captions.save')).toEqual([]);
  });
});
