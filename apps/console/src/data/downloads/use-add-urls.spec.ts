import { act } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderQueryHook } from '../../testing/render-query-hook';
import { cancelRun, readRuns } from '../runs/run-store';
import { type PastedUrl, useAddUrls } from './use-add-urls';

const reddit = (id: string): PastedUrl => ({ url: `https://www.reddit.com/comments/${id}`, platform: 'reddit' });
const instagram: PastedUrl = { url: 'https://www.instagram.com/reel/abc', platform: 'instagram' };

describe('useAddUrls', () => {
  it('submits each URL to the route of its platform and reports accepted, known and failed ones', async () => {
    const api = new FakeApi()
      .reply('POST /api/reddit/process', ({ body }) => ({
        body: { success: true, data: { known: JSON.stringify(body).includes('known') } },
      }))
      .fail('POST /api/instagram/process', 'Only Reels can be read', 422);
    const { result } = renderQueryHook(() => useAddUrls('Adding links'));
    await act(() => result.current.mutateAsync({ urls: [reddit('new'), reddit('known'), instagram], complete: false }));
    expect(result.current.results.map(({ state, error }) => [state, error])).toEqual([
      ['accepted', null],
      ['known', null],
      ['failed', 'Only Reels can be read'],
    ]);
    expect(api.requests.map(({ path }) => path)).toEqual(['/api/reddit/process', '/api/reddit/process', '/api/instagram/process']);
    expect(readRuns()).toMatchObject([{ total: 3, done: 2, failed: 1 }]);
  });

  it('keeps what the product says about an accepted post', async () => {
    const notice = 'This post was published already.';
    new FakeApi().on('POST /api/reddit/process', { success: true, data: { known: false, notice } });
    const { result } = renderQueryHook(() => useAddUrls('Adding links'));
    await act(() => result.current.mutateAsync({ urls: [reddit('a')], complete: false }));
    expect(result.current.results).toEqual([{ ...reddit('a'), state: 'accepted', error: null, notice }]);
  });

  it('submits all URLs to the complete pipeline on request, without a progress bar for two', async () => {
    const api = new FakeApi().on('POST /api/pipeline/process-complete', { success: true, data: {} });
    const { result } = renderQueryHook(() => useAddUrls('Adding links'));
    await act(() => result.current.mutateAsync({ urls: [reddit('a'), instagram], complete: true }));
    expect(api.calls('POST', '/api/pipeline/process-complete')).toHaveLength(2);
    expect(readRuns()).toEqual([]);
  });

  it('leaves the remaining URLs unsent when the run is cancelled', async () => {
    const api = new FakeApi().reply('POST /api/reddit/process', () => {
      cancelRun(readRuns()[0]?.id ?? 0);
      return { body: { success: true, data: {} } };
    });
    const { result } = renderQueryHook(() => useAddUrls('Adding links'));
    await act(() => result.current.mutateAsync({ urls: [reddit('a'), reddit('b'), reddit('c')], complete: false }));
    expect(result.current.results.map(({ state }) => state)).toEqual(['accepted', 'left', 'left']);
    expect(api.requests).toHaveLength(1);
    expect(readRuns()).toMatchObject([{ title: 'Adding links', total: 3, done: 1, endedAt: expect.any(Number) }]);
  });
});
