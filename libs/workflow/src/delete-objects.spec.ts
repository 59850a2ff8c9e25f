import type { ObjectStore } from '@autoposter/object-store';
import { silentLogger } from '@autoposter/observability';
import { FakeDatabase } from '@autoposter/testkit';
import { deleteUnreferencedObjects, discardStored } from './delete-objects';

const keys = (count: number) => Array.from({ length: count }, (_, number) => `${number}`);

function arrange(stubs: Record<string, unknown> = {}, broken = '') {
  const deleted: string[] = [];
  const objects = {
    delete: async (key: string) => {
      if (key === broken) throw new Error('the store is away');
      deleted.push(key);
    },
  } as unknown as ObjectStore;
  const fake = new FakeDatabase({ 'media.markForDeletion': (batch: string[]) => batch.filter((key) => key !== 'used'), ...stubs });
  const remove = (given: string[], signal?: AbortSignal) => deleteUnreferencedObjects(fake.database, objects, given, silentLogger, signal);
  const discard = discardStored({ database: fake.database, objects, logger: silentLogger });
  return { fake, deleted, remove, discard };
}

describe('deleteUnreferencedObjects', () => {
  it('deletes the objects that no row references, after they were marked', async () => {
    const { fake, deleted, remove } = arrange();
    expect(await remove(['used', 'a', 'b'])).toBe(2);
    expect(deleted.sort()).toEqual(['a', 'b']);
    expect((fake.argsOf('media.confirmDeletion')[0]?.[0] as string[]).sort()).toEqual(['a', 'b']);
  });

  it('works in batches of 100', async () => {
    const { fake, deleted, remove } = arrange();
    expect(await remove(keys(250))).toBe(250);
    expect(new Set(deleted).size).toBe(250);
    expect(fake.argsOf('media.markForDeletion').map(([batch]) => (batch as string[]).length)).toEqual([100, 100, 50]);
  });

  it('leaves an object that the store does not delete marked', async () => {
    const { fake, remove } = arrange({}, 'b');
    expect(await remove(['a', 'b', 'c'])).toBe(2);
    expect((fake.argsOf('media.confirmDeletion')[0]?.[0] as string[]).sort()).toEqual(['a', 'c']);
  });

  it('continues with the next batch if one could not be marked', async () => {
    let marked = 0;
    const { remove } = arrange({
      'media.markForDeletion': (batch: string[]) => ((marked += 1) === 1 ? Promise.reject(new Error('locked')) : batch),
    });
    expect(await remove(keys(150))).toBe(50);
  });

  it('starts no batch after the signal', async () => {
    const { deleted, remove } = arrange();
    expect([await remove(keys(3), AbortSignal.abort()), deleted]).toEqual([0, []]);
  });
});

describe('discardStored', () => {
  it.each([
    ['a cancelled job', { state: 'cancelled' }, ['a']],
    ['a job that is gone', null, ['a']],
    ['no job that another worker runs', { state: 'running' }, []],
    ['no job that is done', { state: 'done' }, []],
  ])('deletes the files of %s, but none that a row references', async (_what, job, expected) => {
    const { deleted, discard } = arrange({ 'jobs.find': job });
    await discard('job-1', ['used', 'a']);
    expect(deleted).toEqual(expected);
  });

  it('leaves the files to the orphan task while the database is away', async () => {
    const { deleted, discard } = arrange({ 'jobs.find': () => Promise.reject(new Error('away')) });
    await discard('job-1', ['a']);
    expect(deleted).toEqual([]);
  });
});
