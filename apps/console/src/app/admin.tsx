import { onlineManager, QueryClientContext, QueryClientProvider } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { createQueryClient } from '../data/http/query-client';
import { useSession } from '../data/session/use-session';
import { AdminGuard } from './admin-guard';

/** Everything behind the sign-in, on one cache (the one above it, where there is one). When a session ends, nothing more is asked until the next. */
export function Admin() {
  const above = useContext(QueryClientContext);
  const [client] = useState(() => above ?? createQueryClient());
  const { ended } = useSession();
  useEffect(() => {
    if (!ended) return;
    onlineManager.setOnline(false);
    return () => onlineManager.setOnline(true);
  }, [ended]);
  return (
    <QueryClientProvider client={client}>
      <AdminGuard />
    </QueryClientProvider>
  );
}
