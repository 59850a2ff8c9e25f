import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, type RenderHookResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { keepToken } from '../data/session/session-token';

/** Renders a hook with a query client of its own, signed in, without retries. */
export function renderQueryHook<T>(hook: () => T): RenderHookResult<T, unknown> & { client: QueryClient } {
  keepToken('test-token');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return { ...renderHook(hook, { wrapper }), client };
}
