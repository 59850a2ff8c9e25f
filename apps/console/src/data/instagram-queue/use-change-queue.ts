import { api, type RandomizationBody, type SettleBody, type TimeBlockingBody } from '@autoposter/contracts';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { AFTER_QUEUE_CHANGE } from './take-back';
import { patchQueue, putBack, type QueuePatch } from './patch-queue';

const readAgain = (client: QueryClient) => Promise.all(AFTER_QUEUE_CHANGE.map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Reads anew what a change of the queue makes old. */
export const useReadQueueAgain = () => {
  const client = useQueryClient();
  return () => readAgain(client);
};

/** Starts (`true`) or stops the queue. */
export function useSetQueue() {
  const refresh = useReadQueueAgain();
  return useMutation({ mutationFn: (run: boolean) => call(run ? api.instagramQueue.start : api.instagramQueue.stop), onSettled: refresh });
}

export function useSetInterval() {
  const refresh = useReadQueueAgain();
  return useMutation({
    mutationFn: (intervalMinutes: number) => call(api.instagramQueue.setInterval, { body: { intervalMinutes } }),
    onSuccess: refresh,
  });
}

export function useSetTimeBlocking() {
  const refresh = useReadQueueAgain();
  return useMutation({
    mutationFn: (body: TimeBlockingBody) => call(api.instagramQueue.setTimeBlocking, { body }),
    onSuccess: refresh,
  });
}

export function useSetRandomization() {
  const refresh = useReadQueueAgain();
  return useMutation({
    mutationFn: (body: RandomizationBody) => call(api.instagramQueue.setRandomization, { body }),
    onSuccess: refresh,
  });
}

export function useSettleOutcome() {
  const refresh = useReadQueueAgain();
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
