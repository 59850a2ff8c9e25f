import { apiSamples, type ContentItem } from '@autoposter/contracts';
import { act, waitFor } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderQueryHook } from '../../testing/render-query-hook';
import { keys } from '../http/cache';
import { useCompleted, useContentCalls, useUpdateCaption } from './use-content';

const [item] = (apiSamples.ai.completed.response as { data: ContentItem[] }).data;

/** The hook beside a loaded list of one item. */
async function withList<T>(hook: () => T) {
  const api = new FakeApi().on('GET /api/ai/completed', { success: true, data: [item], nextCursor: null, totalCount: 1 });
  const rendered = renderQueryHook(() => ({ list: useCompleted(), hook: hook() }));
  await waitFor(() => expect(rendered.result.current.list.data?.complete).toBe(true));
  const id = item?.id ?? '';
  return { ...rendered, api, id, items: () => rendered.result.current.list.data?.data };
}

describe('useContentCalls', () => {
  it('removes a discarded item from the list', async () => {
    const { api, id, items, result } = await withList(useContentCalls);
    api.on('PUT /api/ai/discard/*', { success: true });
    await act(() => result.current.hook.discard(id));
    await waitFor(() => expect(items()).toEqual([]));
  });

  it.each([
    ['removes an enqueued item from the list', false, 0],
    ['keeps an item that is posted immediately in the list', true, 1],
  ])('%s', async (_title, postImmediately, left) => {
    const { api, id, items, result } = await withList(useContentCalls);
    api.on('POST /api/instagram-queue/*', { success: true, data: { _id: 'queued' } });
    await act(async () => expect(await result.current.hook.enqueue({ id, caption: ' ', postImmediately })).toEqual({ _id: 'queued' }));
    await waitFor(() => expect(items()).toHaveLength(left));
    expect(api.calls('POST', `/api/instagram-queue/${id}`)).toMatchObject([{ body: { postImmediately } }]);
  });

  it('keeps the item when the request fails', async () => {
    const { api, id, items, result } = await withList(useContentCalls);
    api.fail('POST /api/instagram-queue/*', 'Already queued', 409);
    await act(() => expect(result.current.hook.enqueue({ id, caption: 'New', postImmediately: false })).rejects.toThrow('Already queued'));
    expect(items()).toHaveLength(1);
  });
});

describe('useUpdateCaption', () => {
  it('updates the cached item and invalidates its details', async () => {
    const { api, client, id, items, result } = await withList(useUpdateCaption);
    client.setQueryData([keys.content, id], {});
    api.on('PUT /api/ai/update-caption/*', { success: true });
    await act(() =>
      result.current.hook.mutateAsync({ id, caption: ' Fog ', hashtags: ['fog'], replaces: { caption: 'Mist', hashtags: [] } }),
    );
    await waitFor(() => expect(items()?.[0]?.aiContent).toMatchObject({ caption: 'Fog', hashtags: ['fog'] }));
    expect(client.getQueryState([keys.content, id])?.isInvalidated).toBe(true);
    expect(client.getQueryState([keys.completed])?.isInvalidated).toBe(false);
  });
});
