import { api, LIMITS, type QueueItem, type RandomizationBody, type SettleBody, type TimeBlockingBody } from '@autoposter/contracts';
import { keys } from '../http/cache';
import { CREATED_ID, type Undo, type UndoStep } from '../undo/undo';
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';

const { setSchedule, setPriority, enqueue } = api.instagramQueue;
/** What a change of the queue makes old. */
export const AFTER_QUEUE_CHANGE = [keys.queue, keys.completed, keys.overview] as const;
const refresh = AFTER_QUEUE_CHANGE;

/** The calls that take a change of the queue back; each is a change of its own, as nothing was held back meanwhile. */
export const takeBack = {
  /** The time that a person had chosen, else the planner's choice. */
  move: (item: QueueItem): Undo => {
    const scheduledFor = item.scheduling.pinned === true ? item.scheduling.scheduledFor : null;
    return { steps: [{ route: setSchedule, params: { id: item._id }, body: { scheduledFor } }], refresh };
  },
  priority: (item: QueueItem): Undo => ({
    steps: [{ route: setPriority, params: { id: item._id }, body: { priority: item.priority } }],
    refresh,
  }),
  /** The post comes back with its priority and, if a person had chosen it, its time; else the planner gives it the next free slot. */
  remove: (item: QueueItem): Undo => {
    const { pinned, scheduledFor } = item.scheduling;
    const steps: UndoStep[] = [{ route: enqueue, params: { id: item.itemId ?? '' }, body: { postImmediately: false } }];
    const made = { id: CREATED_ID };
    if (item.priority !== LIMITS.queue.priority.default)
      steps.push({ route: setPriority, params: made, body: { priority: item.priority } });
    if (pinned === true && scheduledFor !== null) steps.push({ route: setSchedule, params: made, body: { scheduledFor } });
    return { steps, refresh };
  },
};

/** What is new on an item; `null` when it goes. */
export type QueuePatch = (Partial<Omit<QueueItem, 'scheduling'>> & { scheduling?: Partial<QueueItem['scheduling']> }) | null;

/** What the cache held before a change, for the way back. */
export type QueueBefore = readonly (readonly [QueryKey, unknown])[];

interface WithPosts {
  posts: QueueItem[];
}
const hasPosts = (data: unknown): data is WithPosts => Array.isArray((data as WithPosts | undefined)?.posts);

/** Changes an item in every list of the queue before the server has answered. Returns what was there before. */
export async function patchQueue(client: QueryClient, id: string, patch: QueuePatch): Promise<QueueBefore> {
  await client.cancelQueries({ queryKey: [keys.queue] });
  const before = client.getQueriesData<unknown>({ queryKey: [keys.queue] });
  const changed = (item: QueueItem): QueueItem => ({ ...item, ...patch, scheduling: { ...item.scheduling, ...patch?.scheduling } });
  for (const [key, data] of before) {
    if (!hasPosts(data)) continue;
    const posts =
      patch === null ? data.posts.filter((item) => item._id !== id) : data.posts.map((item) => (item._id === id ? changed(item) : item));
    client.setQueryData(key, { ...data, posts });
  }
  return before;
}

export const putBack = (client: QueryClient, before: QueueBefore | undefined): void => {
  for (const [key, data] of before ?? []) client.setQueryData(key, data);
};

const readAgain = (client: QueryClient) => Promise.all(AFTER_QUEUE_CHANGE.map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Reads anew what a change of the queue makes old. */
export const useRefreshQueue = () => {
  const client = useQueryClient();
  return () => readAgain(client);
};

/** Starts (`true`) or stops the queue. */
export function useSetQueue() {
  const refresh = useRefreshQueue();
  return useMutation({ mutationFn: (run: boolean) => call(run ? api.instagramQueue.start : api.instagramQueue.stop), onSettled: refresh });
}

export function useSetInterval() {
  const refresh = useRefreshQueue();
  return useMutation({
    mutationFn: (intervalMinutes: number) => call(api.instagramQueue.setInterval, { body: { intervalMinutes } }),
    onSuccess: refresh,
  });
}

export function useSetTimeBlocking() {
  const refresh = useRefreshQueue();
  return useMutation({
    mutationFn: (body: TimeBlockingBody) => call(api.instagramQueue.setTimeBlocking, { body }),
    onSuccess: refresh,
  });
}

export function useSetRandomization() {
  const refresh = useRefreshQueue();
  return useMutation({
    mutationFn: (body: RandomizationBody) => call(api.instagramQueue.setRandomization, { body }),
    onSuccess: refresh,
  });
}

export function useSettleOutcome() {
  const refresh = useRefreshQueue();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: SettleBody }) => call(api.instagramQueue.settle, { params: { id }, body }),
    onSettled: refresh,
  });
}

/** A change of one item that the screen shows at once, and takes back when the server refuses it. */
function useItemChange<I extends { id: string }>(send: (input: I) => Promise<unknown>, patch: (input: I) => QueuePatch) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onMutate: (input: I) => patchQueue(client, input.id, patch(input)),
    onError: (_error, _input, before) => putBack(client, before),
    onSettled: () => readAgain(client),
  });
}

/** The calls alone, for who changes many items and reads the lists again once. */
export const queueCalls = {
  remove: ({ id }: { id: string }) => call(api.instagramQueue.remove, { params: { id } }),
  prioritise: ({ id, priority }: { id: string; priority: number }) =>
    call(api.instagramQueue.setPriority, { params: { id }, body: { priority } }),
};

export const useRemoveFromQueue = () => useItemChange(queueCalls.remove, () => null);

export const useSetPriority = () => useItemChange(queueCalls.prioritise, ({ priority }) => ({ priority }));

/** Pins an item to a time; `null` gives its place back to the planner. */
export const useMoveInQueue = () =>
  useItemChange(
    ({ id, scheduledFor }: { id: string; scheduledFor: string | null }) =>
      call(api.instagramQueue.setSchedule, { params: { id }, body: { scheduledFor } }),
    ({ scheduledFor }) => ({
      scheduling: { scheduledFor, pinned: scheduledFor !== null },
      status: scheduledFor === null ? 'pending' : 'scheduled',
    }),
  );

export const useRetryInQueue = () =>
  useItemChange(
    ({ id }: { id: string }) => call(api.instagramQueue.retry, { params: { id } }),
    () => ({ status: 'pending', failure: null }),
  );
