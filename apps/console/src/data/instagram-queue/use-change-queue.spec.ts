import { api, LIMITS, type QueueItem, queueItemSample, SAMPLE_ID } from '@autoposter/contracts';
import { act } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderQueryHook } from '../../testing/render-query-hook';
import { keys } from '../http/cache';
import { undoInQueue, useMoveInQueue, useRemoveFromQueue, useSetPriority } from './use-change-queue';

const QUEUE_ID = queueItemSample._id;
const LATER = '2026-11-21T18:00:00.000Z';
const item = (change: Partial<QueueItem>): QueueItem => ({ ...queueItemSample, priority: LIMITS.queue.priority.default, ...change });
const pinned = { ...queueItemSample.scheduling, pinned: true, scheduledFor: LATER };
const stepsOf = (undo: ReturnType<typeof undoInQueue.move>) => undo.steps.map(({ route, params, body }) => [route.path, params, body]);

describe('undoInQueue', () => {
  it.each([
    ['a pinned item', pinned, LATER],
    ['a planned item', { ...pinned, pinned: false }, null],
  ])('restores the time of %s', (_name, scheduling, scheduledFor) => {
    expect(stepsOf(undoInQueue.move(item({ scheduling })))).toEqual([
      [api.instagramQueue.setSchedule.path, { id: QUEUE_ID }, { scheduledFor }],
    ]);
  });

  it('restores the former priority', () => {
    expect(stepsOf(undoInQueue.priority(item({ priority: 7 })))).toEqual([
      [api.instagramQueue.setPriority.path, { id: QUEUE_ID }, { priority: 7 }],
    ]);
  });

  it('enqueues a removed item again', () => {
    expect(stepsOf(undoInQueue.remove(item({})))).toEqual([
      [api.instagramQueue.enqueue.path, { id: SAMPLE_ID }, { postImmediately: false, options: {} }],
    ]);
  });

  it('restores priority and pinned time of a removed item', () => {
    expect(stepsOf(undoInQueue.remove(item({ priority: 9, scheduling: pinned }))).slice(1)).toEqual([
      [api.instagramQueue.setPriority.path, { id: ':made' }, { priority: 9 }],
      [api.instagramQueue.setSchedule.path, { id: ':made' }, { scheduledFor: LATER }],
    ]);
  });
});

describe('optimistic changes of the queue', () => {
  const LIST = [keys.queue, 'list', {}];
  const setUp = <T>(hook: () => T) => {
    const rendered = renderQueryHook(hook);
    rendered.client.setQueryData(LIST, { posts: [queueItemSample], pagination: {} });
    rendered.client.setQueryData([keys.queue, 'status'], { isRunning: true });
    const posts = () => rendered.client.getQueryData<{ posts: QueueItem[] }>(LIST)?.posts;
    return { ...rendered, posts };
  };

  it('show the change before the server has responded', async () => {
    new FakeApi().hold(`PUT /api/instagram-queue/${QUEUE_ID}/schedule`);
    const { result, posts, client } = setUp(useMoveInQueue);
    await act(async () => {
      result.current.mutate({ id: QUEUE_ID, scheduledFor: LATER });
      await Promise.resolve();
    });
    expect(posts()).toMatchObject([{ status: 'scheduled', scheduling: { scheduledFor: LATER, pinned: true } }]);
    expect(client.getQueryData([keys.queue, 'status'])).toEqual({ isRunning: true });
  });

  it('remove the item from each list', async () => {
    new FakeApi().on(`${api.instagramQueue.remove.method} /api/instagram-queue/*`, { success: true, message: 'Done' });
    const { result, posts } = setUp(useRemoveFromQueue);
    await act(() => result.current.mutateAsync({ id: QUEUE_ID }));
    expect(posts()).toEqual([]);
  });

  it('are rolled back and invalidated when the server refuses', async () => {
    new FakeApi().fail('PUT /api/instagram-queue/*/priority', 'Already posting', 409);
    const { result, posts, client } = setUp(useSetPriority);
    await act(() => expect(result.current.mutateAsync({ id: QUEUE_ID, priority: 9 })).rejects.toThrow('Already posting'));
    expect(posts()).toEqual([queueItemSample]);
    expect(client.getQueryState(LIST)?.isInvalidated).toBe(true);
  });
});
