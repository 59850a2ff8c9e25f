import { LIMITS, SAMPLE_ID } from '@autoposter/contracts';
import { act } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderQueryHook } from '../../testing/render-query-hook';
import { keys } from '../http/cache';
import { useProcessAi, useProcessDmca } from './use-processing';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Milliseconds after which the ready list is invalidated. */
async function refreshDelayOf(hook: typeof useProcessDmca): Promise<number> {
  const { result, client } = renderQueryHook(hook);
  client.setQueryData([keys.dmca], []);
  await act(() => result.current.mutateAsync(SAMPLE_ID).catch(() => undefined));
  for (let elapsed = 0; ; elapsed += 100) {
    if (client.getQueryState([keys.dmca])?.isInvalidated === true) return elapsed;
    if (elapsed > 5_000) throw new Error('The list was not invalidated');
    await act(() => jest.advanceTimersByTimeAsync(100));
  }
}

describe('processing one item', () => {
  it('refreshes the ready lists one second after DMCA protection was requested', async () => {
    new FakeApi().on('POST /api/dmca/process/*', { success: true });
    expect(await refreshDelayOf(useProcessDmca)).toBe(1_000);
  });

  it('refreshes the ready lists half a second after a failed request', async () => {
    new FakeApi().fail('POST /api/dmca/process/*', 'Busy', 409);
    expect(await refreshDelayOf(useProcessDmca)).toBe(500);
  });

  it('sends the caption options', async () => {
    const api = new FakeApi().on('POST /api/ai/process/*', { success: true });
    const { result } = renderQueryHook(useProcessAi);
    await act(() => result.current.mutateAsync(SAMPLE_ID));
    expect(api.requests).toMatchObject([{ body: LIMITS.ai.options }]);
  });
});
