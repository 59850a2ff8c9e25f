import {
  type AllowBody,
  type AnswerMatchBody,
  type AnswerPermissionBody,
  api,
  type ChangeClaimBody,
  type CloseNoticeBody,
  type CounterNoticeBody,
  type CreateClaimBody,
  type CreateNoticeBody,
  type CreatePermissionBody,
  type MarkOriginalityBody,
  type MoveCaseBody,
  type NoticeDetail,
  type OriginalityRule,
  type RightsThresholdsBody,
} from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, RIGHTS_AND_ITEMS, useChange, useInvalidate, usePage } from '../http/cache';
import { call, fetchData } from '../http/client';
import { useSelectedAccount } from '../instagram-accounts/use-accounts';

export const useClaims = (query: { status: string; page: number }) => usePage([keys.rights], api.rights.list, query);

/** Strikes pause publishing, and no longer count once their claim has ended. */
const WITH_STRIKES = [...RIGHTS_AND_ITEMS, keys.publishing, keys.accounts];

/** An upload of 512 MB over a slow line. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;

const uploadWork = (id: string, file: Blob) => call(api.rights.upload, { params: { id }, file, timeoutMs: UPLOAD_TIMEOUT_MS });

/** With a file, the claim is registered first: if the upload fails (`uploadError`), it is repeated from the list. */
export function useAddClaim() {
  const refresh = useInvalidate(...RIGHTS_AND_ITEMS);
  return useMutation({
    mutationFn: async ({ body, file }: { body: CreateClaimBody; file: Blob | null }) => {
      const created = await call(api.rights.create, { body });
      if (file === null) return { claim: created.data, uploadError: null };
      return uploadWork(created.data.id, file).then(
        ({ data }) => ({ claim: data, uploadError: null }),
        (uploadError: unknown) => ({ claim: created.data, uploadError }),
      );
    },
    onSettled: () => void refresh(),
  });
}

export const useUploadWork = () => useChange(({ id, file }: { id: string; file: Blob }) => uploadWork(id, file), RIGHTS_AND_ITEMS);

export const useFetchWork = () => useChange((id: string) => call(api.rights.fetchWork, { params: { id } }), [keys.rights]);

export const useChangeClaim = () =>
  useChange(({ id, ...body }: ChangeClaimBody & { id: string }) => call(api.rights.change, { params: { id }, body }), WITH_STRIKES);

export const useAllow = () =>
  useChange(({ id, ...body }: AllowBody & { id: string }) => call(api.rights.allow, { params: { id }, body }), [keys.rights]);

export const useEndAllow = () => useChange((id: string) => call(api.rights.endAllow, { params: { id } }), [keys.rights]);

const ITEM_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/u;
const SOURCE_POST_IDS = [
  /reddit\.com\/(?:.*\/)?comments\/([a-z0-9]+)/iu,
  /redd\.it\/([a-z0-9]+)/iu,
  /instagram\.com\/(?:.*\/)?(?:p|reel)\/([\w-]+)/iu,
];
const ITEMS_PER_CALL = 200;

/** The post's id at its source, such as "1abcde", or null. */
export const sourcePostIdOf = (link: string): string | null =>
  SOURCE_POST_IDS.map((pattern) => pattern.exec(link)?.[1] ?? null).find((id) => id !== null) ?? null;

/** The item that a link points to: one of our pages, or a collected source post. Null when there is none. */
export async function findItemByLink(link: string): Promise<string | null> {
  const itemId = ITEM_ID.exec(link.toLowerCase())?.[0];
  if (itemId !== undefined) return itemId;
  const wanted = sourcePostIdOf(link);
  if (wanted === null) return null;
  for (let cursor: string | undefined; ;) {
    const page = await call(api.downloads.list, { query: { limit: ITEMS_PER_CALL, cursor } });
    const found = page.data.find((item) => sourcePostIdOf(item.originalUrl) === wanted);
    if (found !== undefined) return found._id;
    if (page.nextCursor === null || page.nextCursor === undefined) return null;
    cursor = page.nextCursor;
  }
}

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

/** Of the selected account. */
export function useOriginality() {
  const query = { accountId: useSelectedAccount().accountId };
  return useQuery({ queryKey: [keys.rights, 'originality', query], queryFn: fetchData(api.originality.state, { query }) });
}

export function useSetOriginalityRule() {
  const query = { accountId: useSelectedAccount().accountId };
  return useChange((body: OriginalityRule) => call(api.originality.setRule, { query, body }), [keys.rights]);
}

export const useOriginalityMark = (id: string) =>
  useQuery({ queryKey: [keys.rights, 'originality', id], queryFn: fetchData(api.originality.ofItem, { params: { id } }) });

export const useMarkOriginality = () =>
  useChange(
    ({ id, ...body }: MarkOriginalityBody & { id: string }) => call(api.originality.markItem, { params: { id }, body }),
    [keys.rights],
  );

export const usePermissions = (page: number) => usePage([keys.rights, 'permissions'], api.permissions.list, { page });

/** Cases of all kinds whose posts are still to be removed, those that are due first. */
export const usePendingCases = (page: number) => usePage([keys.rights, 'cases'], api.takedown.cases, { state: 'pending', page });

export const useAskPermission = () => useChange((body: CreatePermissionBody) => call(api.permissions.create, { body }), [keys.rights]);

export const useAnswerPermission = () =>
  useChange(
    ({ id, ...body }: AnswerPermissionBody & { id: string }) => call(api.permissions.answer, { params: { id }, body }),
    RIGHTS_AND_ITEMS,
  );

export const useUploadProof = () =>
  useChange(({ id, file }: { id: string; file: Blob }) => call(api.permissions.proof, { params: { id }, file }), [keys.rights]);

export const useRevokePermission = () =>
  useChange(
    ({ id, reason }: { id: string; reason: string }) => call(api.permissions.revoke, { params: { id }, body: { reason } }),
    RIGHTS_AND_ITEMS,
  );

export const useNotices = (page: number) => usePage([keys.rights, 'notices'], api.takedown.notices, { page });

/** Removals are executed by a worker, which writes no fact of its own. */
const REMOVAL_POLL_MS = 3_000;

export const useNotice = (id: string) =>
  useQuery<NoticeDetail>({
    queryKey: [keys.rights, 'notice', id],
    queryFn: fetchData(api.takedown.notice, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.cases.some(({ state }) => state === 'removing') ? REMOVAL_POLL_MS : false),
  });

export const useStrikes = () => useQuery({ queryKey: [keys.rights, 'strikes'], queryFn: fetchData(api.takedown.strikes) });

export const useCreateNotice = () => useChange((body: CreateNoticeBody) => call(api.takedown.createNotice, { body }), WITH_STRIKES);

export const useAnswerNotice = () =>
  useChange(
    ({ id, answer }: { id: string; answer: string }) => call(api.takedown.answer, { params: { id }, body: { answer } }),
    WITH_STRIKES,
  );

export const useCounterNotice = () =>
  useChange(({ id, ...body }: CounterNoticeBody & { id: string }) => call(api.takedown.counter, { params: { id }, body }), WITH_STRIKES);

export const useCloseNotice = () =>
  useChange(({ id, ...body }: CloseNoticeBody & { id: string }) => call(api.takedown.close, { params: { id }, body }), WITH_STRIKES);

/** DMCA protection for a post that a claim stopped. */
export const useRunAgain = () => useChange((id: string) => call(api.dmca.process, { params: { id } }), RIGHTS_AND_ITEMS);

export const useMoveCase = () =>
  useChange(({ id, ...body }: MoveCaseBody & { id: string }) => call(api.takedown.moveCase, { params: { id }, body }), WITH_STRIKES);
