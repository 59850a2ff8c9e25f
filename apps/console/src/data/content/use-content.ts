import { api } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

/** Everything about one item; asks only while `id` is given. */
export const useContentDetails = (id: string | null) =>
  useQuery({
    queryKey: [keys.content, id],
    enabled: id !== null,
    queryFn: async ({ signal }) => (await call(api.content.details, { params: { id: id ?? '' }, signal })).data,
  });
