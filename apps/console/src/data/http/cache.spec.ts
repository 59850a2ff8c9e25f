import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { createQueryClient } from './cache';

describe('createQueryClient', () => {
  afterEach(() => onlineManager.setOnline(true));

  it('sends a change at once while the browser is offline or the session has ended, so that its failure is shown', async () => {
    onlineManager.setOnline(false);
    const change = new MutationObserver(createQueryClient(), { mutationFn: () => Promise.reject(new Error('not reached')) });
    const sent = change.mutate();
    expect(change.getCurrentResult().isPaused).toBe(false);
    await expect(sent).rejects.toThrow('not reached');
  });
});
