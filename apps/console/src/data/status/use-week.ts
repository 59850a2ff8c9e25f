import { api, type QueueItem } from '@autoposter/contracts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

export interface DayCount {
  /** Midnight of the reader's day, in milliseconds since 1970. */
  from: number;
  posted: number;
  failed: number;
}

const DAYS = 7;
const PAGE = 200;
/** More posts than a week can hold: the queue's shortest interval is half an hour. */
const MAX_PAGES = 2;

const timeOf = ({ scheduling }: QueueItem): number => Date.parse(scheduling.scheduledFor ?? scheduling.queuedAt);

async function since(status: 'posted' | 'failed', from: number, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { status, sortBy: 'scheduling.scheduledFor', sortOrder: 'desc', page, limit: PAGE };
    const { data } = await call(api.instagramQueue.list, { query, signal });
    times.push(...data.posts.map(timeOf));
    if (!data.pagination.hasNextPage || Math.min(...times) < from) break;
  }
  return times.filter((time) => time >= from);
}

/** The beginning of each of the last seven days, today included, by the reader's clock. */
export const lastDays = (now: Date): number[] =>
  Array.from({ length: DAYS }, (_none, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1 - index)).getTime());

/** How many posts went out and how many failed on each of the last seven days, by the time of their slot. */
export const useWeek = () =>
  useQuery({
    queryKey: [keys.queue, 'week'],
    queryFn: async ({ signal }): Promise<DayCount[]> => {
      const days = lastDays(new Date());
      const [posted, failed] = await Promise.all([since('posted', days[0] ?? 0, signal), since('failed', days[0] ?? 0, signal)]);
      const within = (times: number[], index: number) =>
        times.filter((time) => time >= (days[index] ?? 0) && time < (days[index + 1] ?? Infinity)).length;
      return days.map((from, index) => ({ from, posted: within(posted, index), failed: within(failed, index) }));
    },
  });
