import { api } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** Items with a caption, ready or posted. */
export const useCompleted = () =>
  useQuery({ queryKey: [keys.completed], queryFn: async ({ signal }) => (await call(api.ai.completed, { signal })).data });

/** Everything about one item; asks only while `id` is given. */
export const useContentDetails = (id: string | null) =>
  useQuery({
    queryKey: [keys.content, id],
    enabled: id !== null,
    queryFn: async ({ signal }) => (await call(api.content.details, { params: { id: id ?? '' }, signal })).data,
  });
