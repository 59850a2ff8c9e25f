import { downloadSample, FACT_TYPES, liveFactSample } from '@autoposter/contracts';
import { QueryClient } from '@tanstack/react-query';
import { keys } from '../http/cache';
import { affectedKeys, BATCH_MS, CacheRefresher } from './cache-refresher';

describe('affectedKeys', () => {
  it('names at least one query root for each fact type', () => {
    for (const type of FACT_TYPES) expect(affectedKeys({ type }).length).toBeGreaterThan(0);
  });

  it.each([
    ['dmca.completed', keys.ai],
    ['dmca.completed', keys.rights],
    ['dmca.blocked', keys.rights],
    ['register.completed', keys.rights],
    ['register.failed', keys.rights],
    ['download.skipped', keys.skippedPosts],
    ['ai.failed', keys.failures],
    ['post.completed', keys.queue],
    ['collect.completed', keys.subreddits],
    ['publishing.paused', keys.publishing],
    ['publishing.paused', keys.accounts],
    ['queue.changed', keys.accounts],
  ] as const)('%s makes %s stale', (type, key) => expect(affectedKeys({ type })).toContain(key));

  it('makes everything stale after all data was cleared', () => expect(affectedKeys({ type: 'data.cleared' })).toBe('all'));
});

describe('CacheRefresher', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('updates the row immediately and invalidates the lists once for a batch of facts', () => {
    const client = new QueryClient();
    client.setQueryData([keys.downloads], { success: true, data: [downloadSample] });
    client.setQueryData([keys.logs, 'server'], []);
    const invalidate = jest.spyOn(client, 'invalidateQueries');
    const refresher = new CacheRefresher(client);
    refresher.apply({ ...liveFactSample, type: 'dmca.started', state: 'protecting', itemId: downloadSample._id });
    refresher.apply({ ...liveFactSample, seq: 43, type: 'dmca.started', state: 'protecting', itemId: downloadSample._id });
    const list = client.getQueryData<{ data: { state: string; status: string }[] }>([keys.downloads]);
    expect(list?.data[0]).toMatchObject({ state: 'protecting', status: 'processing' });
    expect(invalidate).not.toHaveBeenCalled();
    jest.advanceTimersByTime(BATCH_MS);
    expect(invalidate).toHaveBeenCalledTimes(1);
    expect(client.getQueryState([keys.downloads])?.isInvalidated).toBe(true);
    expect(client.getQueryState([keys.logs, 'server'])?.isInvalidated).toBe(false);
  });

  it('invalidates everything on refreshAll', () => {
    const client = new QueryClient();
    client.setQueryData([keys.logs, 'server'], {});
    client.setQueryData([keys.overview], {});
    new CacheRefresher(client).refreshAll();
    jest.advanceTimersByTime(BATCH_MS);
    expect(client.getQueryState([keys.overview])?.isInvalidated).toBe(true);
    expect(client.getQueryState([keys.logs, 'server'])?.isInvalidated).toBe(true);
  });
});
