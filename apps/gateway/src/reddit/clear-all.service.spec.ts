import type { ObjectStore } from '@autoposter/object-store';
import { silentLogger } from '@autoposter/observability';
import { FakeDatabase } from '@autoposter/testkit';
import { ClearAllService } from './clear-all.service';

const ACTOR = 'admin@example.com';
const CLEARED = { posts: 2, queueItems: 1, objectKeys: ['a', 'b'] };

function arrange(stubs: Record<string, unknown> = {}) {
  const deleted: string[] = [];
  const objects = { delete: async (key: string) => void deleted.push(key) } as unknown as ObjectStore;
  const fake = new FakeDatabase({ 'clearing.clearAll': CLEARED, 'media.markForDeletion': (keys: string[]) => keys, ...stubs });
  return { fake, deleted, service: new ClearAllService(fake.database, objects, silentLogger) };
}

describe('ClearAllService', () => {
  it('deletes all rows, then their files in the background', async () => {
    const { fake, deleted, service } = arrange();
    expect(await service.clear(ACTOR)).toEqual({ posts: 2, queueItems: 1, files: 2 });
    await service.onModuleDestroy();
    expect(deleted.sort()).toEqual(['a', 'b']);
    expect(fake.events).toMatchObject([{ type: 'data.cleared', actor: ACTOR }]);
    expect(fake.argsOf('audit.record')).toEqual([[{ actor: ACTOR, action: 'data.clear', detail: { posts: 2, queueItems: 1, files: 2 } }]]);
  });

  it('deletes no file if the rows remain', async () => {
    const { fake, deleted, service } = arrange({ 'clearing.clearAll': () => Promise.reject(new Error('locked')) });
    await expect(service.clear(ACTOR)).rejects.toThrow('locked');
    await service.onModuleDestroy();
    expect([deleted, fake.auditActions]).toEqual([[], []]);
  });

  it('starts no further batch of files when the process stops', async () => {
    const objectKeys = Array.from({ length: 250 }, (_, number) => `${number}`);
    const { deleted, service } = arrange({ 'clearing.clearAll': { ...CLEARED, objectKeys } });
    await service.clear(ACTOR);
    await service.onModuleDestroy();
    expect(deleted.length).toBeLessThanOrEqual(100);
  });
});
