import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../http/keys';
import { cardLoader } from './card-list';

/** Items with a caption, ready or posted, as cards. The first are there after one page, the others follow by themselves. */
export function useCompleted() {
  const client = useQueryClient();
  // Comparing ten thousand cards field by field would hold up the page; the loader keeps what did not change.
  return useQuery({ queryKey: [keys.completed], queryFn: () => cardLoader(client).read(), structuralSharing: false });
}
