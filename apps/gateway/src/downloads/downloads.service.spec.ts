import type { ObjectStore } from '@autoposter/object-store';
import { silentLogger } from '@autoposter/observability';
import { contentItem, FakeDatabase, queueItem } from '@autoposter/testkit';
import { DownloadsService } from './downloads.service';
import { asReply } from '../testing/as-reply';

const ACTOR = 'admin@example.com';

function arrange(item: Parameters<typeof contentItem>[0] | null, stubs: Record<string, unknown> = {}) {
  const deleted: string[] = [];
  const objects = { delete: async (key: string) => void deleted.push(key) } as unknown as ObjectStore;
  const fake = new FakeDatabase({
    'items.findForUpdate': () => item && contentItem(item),
    'media.deleteOfItem': ['originals/aa.mp4'],
    'media.markForDeletion': (keys: string[]) => keys,
    ...stubs,
  });
  return { fake, deleted, service: new DownloadsService(fake.database, objects, silentLogger) };
}

describe('DownloadsService.list', () => {
  it.each([
    ['downloaded', ['downloaded', 'protected']],
    ['pending', ['accepted']],
    ['failed', ['failed', 'blocked']],
  ] as const)('maps the status %s to its item states', async (status, states) => {
    const { fake, service } = arrange(null);
    await service.list({ status });
    expect(new Set(fake.argsOf('itemLists.page')[0]?.[0] as string[])).toEqual(new Set(states));
  });
});

describe('DownloadsService.remove', () => {
  it('deletes the item, its queue item and its files', async () => {
    const waiting = queueItem({ status: 'scheduled' });
    const { fake, deleted, service } = arrange({ state: 'queued' }, { 'queue.findOpenOf': waiting, 'queue.findForUpdate': waiting });
    await service.remove('item-1', ACTOR);
    expect(fake.argsOf('queue.transition')[0]?.[1]).toMatchObject({ to: 'cancelled' });
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ to: 'deleted' });
    expect([deleted, fake.auditActions]).toEqual([['originals/aa.mp4'], ['item.delete']]);
  });

  it.each([
    ['an unknown item', null, 404],
    ['an item that is being published', { state: 'posting' }, 409],
  ] as const)('refuses %s', async (_what, item, status) => {
    const { deleted, service } = arrange(item);
    await expect(asReply(service.remove('item-1', ACTOR))).rejects.toMatchObject({ status });
    expect(deleted).toEqual([]);
  });
});

describe('DownloadsService.retry', () => {
  it.each([
    ['the stage that failed', { state: 'failed', failedStage: 'ai' }, 'ai'],
    ['the download if no stage is known', { state: 'failed' }, 'download'],
    ['DMCA protection of a blocked item', { state: 'blocked' }, 'dmca'],
    [
      'the stage that made a damaged input',
      { state: 'failed', failedStage: 'ai', processingErrors: [{ stage: 'ai', message: 'x', resumeFrom: 'dmca' }] },
      'dmca',
    ],
  ] as const)('requests %s', async (_what, item, stage) => {
    const { fake, service } = arrange(item as never);
    await expect(service.retry('item-1', 'reddit', ACTOR)).resolves.toMatchObject({ id: 'item-1', jobId: 'job-1' });
    expect(fake.argsOf('jobs.createWith')[0]?.[1]).toMatchObject({ stage });
    expect(fake.argsOf('items.patch')[0]?.[1]).toMatchObject({ retryCount: 1 });
  });

  it.each([
    ['an item of the other platform', { state: 'failed', platform: 'instagram' }, 404],
    ['an item that did not fail', { state: 'ready' }, 409],
    ['an item at the retry limit', { state: 'failed', failedStage: 'ai', retryCount: 3 }, 409],
  ] as const)('refuses %s', async (_what, item, status) => {
    const { fake, service } = arrange(item);
    await expect(asReply(service.retry('item-1', 'reddit', ACTOR))).rejects.toMatchObject({ status });
    expect(fake.argsOf('jobs.createWith')).toEqual([]);
  });
});
