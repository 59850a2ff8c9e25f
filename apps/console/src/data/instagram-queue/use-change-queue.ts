import { api, type RandomizationBody, type SettleBody, type TimeBlockingBody } from '@autoposter/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

const useRefresh = () => {
  const client = useQueryClient();
  return () => Promise.all([keys.queue, keys.completed, keys.overview].map((key) => client.invalidateQueries({ queryKey: [key] })));
};

/** Starts (`true`) or stops the queue. */
export function useSetQueue() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (run: boolean) => call(run ? api.instagramQueue.start : api.instagramQueue.stop), onSettled: refresh });
}

export function useSetInterval() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (intervalMinutes: number) => call(api.instagramQueue.setInterval, { body: { intervalMinutes } }),
    onSuccess: refresh,
  });
}

export function useSetTimeBlocking() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: TimeBlockingBody) => call(api.instagramQueue.setTimeBlocking, { body }),
    onSuccess: refresh,
  });
}

export function useSetRandomization() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: RandomizationBody) => call(api.instagramQueue.setRandomization, { body }),
    onSuccess: refresh,
  });
}

export function useRemoveFromQueue() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => call(api.instagramQueue.remove, { params: { id } }), onSettled: refresh });
}

export function useSettleOutcome() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: SettleBody }) => call(api.instagramQueue.settle, { params: { id }, body }),
    onSettled: refresh,
  });
}

export function useSetPriority() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, priority }: { id: string; priority: number }) =>
      call(api.instagramQueue.setPriority, { params: { id }, body: { priority } }),
    onSettled: refresh,
  });
}
