import {
  api,
  LIMITS,
  type PublishedInAppBody,
  type QueueItem,
  type RandomizationBody,
  type SetOptionsBody,
  type SettleBody,
  type TimeBlockingBody,
  type UncheckedPolicy,
} from '@autoposter/contracts';
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidate, keys, useChange, useInvalidate } from '../http/cache';
import { call } from '../http/client';
import { useSelectedAccount } from '../instagram-accounts/use-accounts';
import { CREATED_ID, type Undo, type UndoStep } from '../undo/undo';

/** A cover of 8 MB over a slow line. */
const UPLOAD_TIMEOUT_MS = 120_000;

const { setSchedule, setPriority, enqueue } = api.instagramQueue;
export const AFTER_QUEUE_CHANGE = [keys.queue, keys.completed, keys.overview] as const;
const refresh = AFTER_QUEUE_CHANGE;

export const undoInQueue = {
  /** Restores a pinned time; otherwise the planner chooses. */
  move: (item: QueueItem): Undo => {
    const scheduledFor = item.scheduling.pinned === true ? item.scheduling.scheduledFor : null;
    return { steps: [{ route: setSchedule, params: { id: item._id }, body: { scheduledFor } }], refresh };
  },
  priority: (item: QueueItem): Undo => ({
    steps: [{ route: setPriority, params: { id: item._id }, body: { priority: item.priority } }],
    refresh,
  }),
  /** Restores priority and a pinned time; without one the planner assigns the next free slot. */
  remove: (item: QueueItem): Undo => {
    const { pinned, scheduledFor } = item.scheduling;
    const { options, accountId } = item;
    const body = {
      postImmediately: false,
      ...(options === undefined ? {} : { options }),
      ...(accountId === undefined ? {} : { accountId }),
    };
    const steps: UndoStep[] = [{ route: enqueue, params: { id: item.itemId ?? '' }, body }];
    const params = { id: CREATED_ID };
    if (item.priority !== LIMITS.queue.priority.default) steps.push({ route: setPriority, params, body: { priority: item.priority } });
    if (pinned === true && scheduledFor !== null) steps.push({ route: setSchedule, params, body: { scheduledFor } });
    return { steps, refresh };
  },
};

export const useRefreshQueue = () => useInvalidate(...AFTER_QUEUE_CHANGE);

/** A change of the settings of the selected account's queue. */
function useQueueSetting<I>(send: (input: I, query: { accountId: string | undefined }) => Promise<unknown>) {
  const { accountId } = useSelectedAccount();
  return useChange((input: I) => send(input, { accountId }), AFTER_QUEUE_CHANGE);
}

/** Starts (`true`) or stops the queue. */
export const useSetQueue = () =>
  useQueueSetting((run: boolean, query) => call(run ? api.instagramQueue.start : api.instagramQueue.stop, { query }));

/** A setting from the stored value that the person has seen; with another one by now, nothing is saved. */
interface SettingChange<T> {
  from: T;
  to: T;
}

export const useSetInterval = () =>
  useQueueSetting(({ from, to }: SettingChange<number>, query) =>
    call(api.instagramQueue.setInterval, { query, body: { intervalMinutes: to, replaces: { intervalMinutes: from } } }),
  );

export const useSetTimeBlocking = () =>
  useQueueSetting((body: TimeBlockingBody, query) => call(api.instagramQueue.setTimeBlocking, { query, body }));

export const useSetRandomization = () =>
  useQueueSetting((body: RandomizationBody, query) => call(api.instagramQueue.setRandomization, { query, body }));

export const useSetBacklogLimit = () =>
  useQueueSetting(({ from, to }: SettingChange<number>, query) =>
    call(api.instagramQueue.setBacklogLimit, { query, body: { backlogLimit: to, replaces: { backlogLimit: from } } }),
  );

export const useSetEqualFailures = () =>
  useQueueSetting(({ from, to }: SettingChange<number>, query) =>
    call(api.instagramQueue.setEqualFailures, { query, body: { equalFailures: to, replaces: { equalFailures: from } } }),
  );

export const useSetUncheckedPosts = () =>
  useQueueSetting(({ from, to }: SettingChange<UncheckedPolicy>, query) =>
    call(api.instagramQueue.setUncheckedPosts, { query, body: { uncheckedPosts: to, replaces: { uncheckedPosts: from } } }),
  );

export const usePublishAnyway = () =>
  useChange((id: string) => call(api.instagramQueue.publishAnyway, { params: { id } }), AFTER_QUEUE_CHANGE);

/** Publishes a waiting post out of turn, with its own caption and options. */
export const usePostNow = () =>
  useChange((itemId: string) => call(enqueue, { params: { id: itemId }, body: { postImmediately: true } }), AFTER_QUEUE_CHANGE);

/** Retries the posts of the selected account. */
export function useRetryCause() {
  const { accountId } = useSelectedAccount();
  const retry = (cause: string) => call(api.overview.retryFailures, { query: { accountId }, body: { cause } });
  return useChange(retry, [...AFTER_QUEUE_CHANGE, keys.failures]);
}

export const usePublishedInApp = () =>
  useChange(
    ({ id, body }: { id: string; body: PublishedInAppBody }) => call(api.instagramQueue.publishedInApp, { params: { id }, body }),
    [...AFTER_QUEUE_CHANGE, keys.failures, keys.content],
  );

export const useSetOptions = () =>
  useChange(
    ({ id, ...body }: SetOptionsBody & { id: string }) => call(api.instagramQueue.setOptions, { params: { id }, body }),
    [keys.queue],
  );

/** `null` removes the cover. */
export const useSetCover = () =>
  useChange(
    ({ id, file }: { id: string; file: Blob | null }) =>
      file === null
        ? call(api.instagramQueue.removeCover, { params: { id } })
        : call(api.instagramQueue.setCover, { params: { id }, file, timeoutMs: UPLOAD_TIMEOUT_MS }),
    [keys.queue],
  );

export const useSettleOutcome = () =>
  useChange(
    ({ id, body }: { id: string; body: SettleBody }) => call(api.instagramQueue.settle, { params: { id }, body }),
    AFTER_QUEUE_CHANGE,
  );

/** Changed fields of an item; `null` removes it. */
type QueuePatch = (Partial<Omit<QueueItem, 'scheduling'>> & { scheduling?: Partial<QueueItem['scheduling']> }) | null;

/** Cached data before an optimistic update, for the rollback. */
type QueueSnapshot = readonly (readonly [QueryKey, unknown])[];

const hasPosts = (data: unknown): data is { posts: QueueItem[] } => Array.isArray((data as { posts?: unknown } | undefined)?.posts);

async function patchQueue(client: QueryClient, id: string, patch: QueuePatch): Promise<QueueSnapshot> {
  await client.cancelQueries({ queryKey: [keys.queue] });
  const snapshot = client.getQueriesData<unknown>({ queryKey: [keys.queue] });
  const patched = (item: QueueItem): QueueItem => ({ ...item, ...patch, scheduling: { ...item.scheduling, ...patch?.scheduling } });
  for (const [key, data] of snapshot) {
    if (!hasPosts(data)) continue;
    const posts =
      patch === null ? data.posts.filter((item) => item._id !== id) : data.posts.map((item) => (item._id === id ? patched(item) : item));
    client.setQueryData(key, { ...data, posts });
  }
  return snapshot;
}

/** An optimistic change of one item, rolled back when the request fails. */
function useOptimisticChange<I extends { id: string }>(send: (input: I) => Promise<unknown>, patch: (input: I) => QueuePatch) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onMutate: (input: I) => patchQueue(client, input.id, patch(input)),
    onError: (_error, _input, snapshot) => {
      for (const [key, data] of snapshot ?? []) client.setQueryData(key, data);
    },
    onSettled: () => invalidate(client, AFTER_QUEUE_CHANGE),
  });
}

/** Without optimistic update and invalidation, for bulk changes. */
export const queueCalls = {
  remove: ({ id }: { id: string }) => call(api.instagramQueue.remove, { params: { id } }),
  prioritise: ({ id, priority }: { id: string; priority: number }) => call(setPriority, { params: { id }, body: { priority } }),
};

export const useRemoveFromQueue = () => useOptimisticChange(queueCalls.remove, () => null);

export const useSetPriority = () => useOptimisticChange(queueCalls.prioritise, ({ priority }) => ({ priority }));

/** Pins an item to a time; `null` lets the planner choose again. */
export const useMoveInQueue = () =>
  useOptimisticChange(
    ({ id, scheduledFor }: { id: string; scheduledFor: string | null }) => call(setSchedule, { params: { id }, body: { scheduledFor } }),
    ({ scheduledFor }) => ({
      scheduling: { scheduledFor, pinned: scheduledFor !== null },
      status: scheduledFor === null ? 'pending' : 'scheduled',
    }),
  );

export const useRetryInQueue = () =>
  useOptimisticChange(
    ({ id }: { id: string }) => call(api.instagramQueue.retry, { params: { id } }),
    () => ({ status: 'pending', failure: null }),
  );
