import { api, type AnswerPermissionBody, type CreatePermissionBody } from '@autoposter/contracts';
import { keys, RIGHTS_AND_ITEMS, useChange, usePage } from '../http/cache';
import { call } from '../http/client';

export const usePermissions = (page: number) => usePage([keys.rights, 'permissions'], api.permissions.list, { page });

/** Cases of all kinds that wait for an administrator. */
export const useOpenCases = (page: number) => usePage([keys.rights, 'cases'], api.takedown.cases, { state: 'open', page });

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
