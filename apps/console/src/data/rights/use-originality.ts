import { api, type MarkOriginalityBody, type OriginalityRule } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
import { call, fetchData } from '../http/client';

export const useOriginality = () => useQuery({ queryKey: [keys.rights, 'originality'], queryFn: fetchData(api.originality.state) });

export const useSetOriginalityRule = () => useChange((body: OriginalityRule) => call(api.originality.setRule, { body }), [keys.rights]);

export const useOriginalityMark = (id: string) =>
  useQuery({ queryKey: [keys.rights, 'originality', id], queryFn: fetchData(api.originality.ofItem, { params: { id } }) });

export const useMarkOriginality = () =>
  useChange(
    ({ id, ...body }: MarkOriginalityBody & { id: string }) => call(api.originality.markItem, { params: { id }, body }),
    [keys.rights],
  );
