import { api, LIMITS } from '@autoposter/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';

export function useClearAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.reddit.clearAll, { timeoutMs: LIMITS.http.clearAllTimeoutMs }),
    onSuccess: () => client.invalidateQueries(),
  });
}
