import { api, type AnswerMatchBody, type RightsThresholdsBody } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys, RIGHTS_AND_ITEMS, useChange, usePage } from '../http/cache';
import { call, fetchData } from '../http/client';

/** The matches that wait for an answer, or those that have one. */
export const useMatches = (page: number, answered: boolean) =>
  usePage([keys.rights, 'matches'], api.rightsMatches.list, { page, ...(answered ? { answered: 'true' } : {}) });

export const useAnswerCounts = () => useQuery({ queryKey: [keys.rights, 'answers'], queryFn: fetchData(api.rightsMatches.counts) });

export const useThresholds = () => useQuery({ queryKey: [keys.rights, 'thresholds'], queryFn: fetchData(api.rightsMatches.thresholds) });

export const useSetThresholds = () =>
  useChange((body: RightsThresholdsBody) => call(api.rightsMatches.setThresholds, { body }), [keys.rights]);

export const useAnswerMatch = () => useChange((body: AnswerMatchBody) => call(api.rightsMatches.answer, { body }), RIGHTS_AND_ITEMS);

/** The evidence bundle of an item as text, for a file, and the id of the key that signed it. */
export async function loadEvidence(itemId: string): Promise<{ text: string; keyId: string }> {
  const { data } = await call(api.evidence.ofItem, { params: { id: itemId } });
  return { text: JSON.stringify(data, null, 2), keyId: data.signedBy.keyId };
}
