import { api } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

const HEALTH_MS = 30_000;

export const useHealth = () =>
  useQuery({
    queryKey: [keys.health],
    queryFn: async ({ signal }) => (await call(api.health.health, { signal })).data,
    refetchInterval: HEALTH_MS,
    refetchOnWindowFocus: 'always',
  });
