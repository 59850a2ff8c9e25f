import { api, type AllowBody, type ChangeClaimBody, type CreateClaimBody } from '@autoposter/contracts';
import { useMutation } from '@tanstack/react-query';
import { keys, RIGHTS_AND_ITEMS, useChange, useInvalidate, usePage } from '../http/cache';
import { call } from '../http/client';

export const useClaims = (query: { status: string; page: number }) => usePage([keys.rights], api.rights.list, query);

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
  useChange(({ id, ...body }: ChangeClaimBody & { id: string }) => call(api.rights.change, { params: { id }, body }), RIGHTS_AND_ITEMS);

export const useAllow = () =>
  useChange(({ id, ...body }: AllowBody & { id: string }) => call(api.rights.allow, { params: { id }, body }), [keys.rights]);

export const useEndAllow = () => useChange((id: string) => call(api.rights.endAllow, { params: { id } }), [keys.rights]);

const ITEM_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/u;
const SOURCE_POST_IDS = [
  /reddit\.com\/(?:.*\/)?comments\/([a-z0-9]+)/iu,
  /redd\.it\/([a-z0-9]+)/iu,
  /instagram\.com\/(?:.*\/)?(?:p|reel)\/([\w-]+)/iu,
];
const PAGE = 200;

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
    const page = await call(api.downloads.list, { query: { limit: PAGE, cursor } });
    const found = page.data.find((item) => sourcePostIdOf(item.originalUrl) === wanted);
    if (found !== undefined) return found._id;
    if (page.nextCursor === null || page.nextCursor === undefined) return null;
    cursor = page.nextCursor;
  }
}
