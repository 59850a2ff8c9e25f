import { ITEM_FLOW, ITEM_TRANSITIONS } from './item-state';

describe('ITEM_FLOW', () => {
  it('allows exactly these transitions', () => {
    const sorted = Object.fromEntries(Object.entries(ITEM_TRANSITIONS).map(([state, next]) => [state, [...next].sort()]));
    expect(sorted).toEqual({
      accepted: ['deleted', 'downloading', 'failed'],
      downloading: ['blocked', 'deleted', 'downloaded', 'failed', 'protecting'],
      downloaded: ['blocked', 'deleted', 'discarded', 'failed', 'protecting'],
      protecting: ['blocked', 'captioning', 'deleted', 'downloaded', 'failed', 'protected'],
      protected: ['blocked', 'captioning', 'deleted', 'discarded', 'failed', 'ready'],
      captioning: ['blocked', 'deleted', 'discarded', 'failed', 'protected', 'queued', 'ready'],
      ready: ['blocked', 'captioning', 'deleted', 'discarded', 'failed', 'queued'],
      queued: ['blocked', 'deleted', 'failed', 'posting', 'ready'],
      posting: ['posted', 'ready'],
      posted: ['deleted', 'discarded'],
      failed: ['blocked', 'captioning', 'deleted', 'discarded', 'downloading', 'protecting', 'ready'],
      blocked: ['deleted', 'discarded', 'protecting'],
      discarded: ['blocked', 'deleted', 'downloaded', 'downloading', 'failed', 'posted', 'protected', 'ready'],
      deleted: ['downloading'],
    });
  });

  it('names the states around each stage', () => {
    expect(ITEM_FLOW).toMatchObject({
      waitingStates: { download: 'accepted', dmca: 'downloaded', ai: 'protected' },
      activeStates: { download: 'downloading', dmca: 'protecting', ai: 'captioning' },
      doneStates: { download: 'downloaded', dmca: 'protected', ai: 'ready' },
      restingStates: ['downloaded', 'protected', 'ready', 'failed', 'blocked', 'posted'],
      rightsCheckedStates: ['protected', 'ready', 'captioning'],
      storedStates: ['downloaded', 'protected', 'captioning', 'ready', 'queued'],
    });
  });
});
