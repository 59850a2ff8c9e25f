import {
  api,
  type CloseNoticeBody,
  type CounterNoticeBody,
  type CreateNoticeBody,
  type MoveCaseBody,
  type NoticeDetail,
} from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys, RIGHTS_AND_ITEMS, useChange, usePage } from '../http/cache';
import { call, fetchData } from '../http/client';

export const useNotices = (page: number) => usePage([keys.rights, 'notices'], api.takedown.notices, { page });

/** Removals are executed by a worker, which writes no fact of its own. */
const POLL_MS = 3_000;

export const useNotice = (id: string) =>
  useQuery<NoticeDetail>({
    queryKey: [keys.rights, 'notice', id],
    queryFn: fetchData(api.takedown.notice, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.cases.some(({ state }) => state === 'removing') ? POLL_MS : false),
  });

export const useStrikes = () => useQuery({ queryKey: [keys.rights, 'strikes'], queryFn: fetchData(api.takedown.strikes) });

/** An upheld notice may pause publishing. */
const CHANGED = [...RIGHTS_AND_ITEMS, keys.publishing];

export const useCreateNotice = () => useChange((body: CreateNoticeBody) => call(api.takedown.createNotice, { body }), CHANGED);

export const useAnswerNotice = () =>
  useChange(({ id, answer }: { id: string; answer: string }) => call(api.takedown.answer, { params: { id }, body: { answer } }), CHANGED);

export const useCounterNotice = () =>
  useChange(({ id, ...body }: CounterNoticeBody & { id: string }) => call(api.takedown.counter, { params: { id }, body }), CHANGED);

export const useCloseNotice = () =>
  useChange(({ id, ...body }: CloseNoticeBody & { id: string }) => call(api.takedown.close, { params: { id }, body }), CHANGED);

export const useMoveCase = () =>
  useChange(({ id, ...body }: MoveCaseBody & { id: string }) => call(api.takedown.moveCase, { params: { id }, body }), CHANGED);
