import { LIMITS } from '@autoposter/contracts';
import { QueryClient } from '@tanstack/react-query';
import { CallError } from './client';

const MAX_TRIES = 2;

/** What the server refused stays refused; only what got no answer or a failure of the server is asked again. */
const worthAnotherTry = (failures: number, error: unknown): boolean =>
  failures < MAX_TRIES && !(error instanceof CallError && error.status >= 400 && error.status < 500);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: LIMITS.cache.staleMs, gcTime: LIMITS.cache.keepMs, retry: worthAnotherTry },
      mutations: { retry: false },
    },
  });
