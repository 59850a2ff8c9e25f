import { api, SKIP_REASON_LABELS, SKIP_REASONS } from '@autoposter/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

type Query = Record<string, string | number | undefined>;

export const useSkippedPosts = (query: Query) =>
  useQuery({
    queryKey: [keys.skippedPosts, 'list', query],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.list, { query, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useSkipStatistics = (query: Query) =>
  useQuery({
    queryKey: [keys.skippedPosts, 'statistics', query],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.statistics, { query, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useSkippedSubreddits = () =>
  useQuery({
    queryKey: [keys.skippedPosts, 'subreddits'],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.subreddits, { signal })).data,
  });

export const useSkipReasons = () =>
  useQuery({
    queryKey: [keys.skippedPosts, 'reasons'],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.reasons, { signal })).data,
    placeholderData: SKIP_REASONS.map((value) => ({ value, label: SKIP_REASON_LABELS[value] })),
    staleTime: Infinity,
  });
