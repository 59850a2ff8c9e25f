import { SKIP_REASONS, SKIPPED_SORTS, SORT_ORDERS } from '@autoposter/contracts';
import type { SkippedFilter, SkippedPageQuery } from '@autoposter/persistence';
import { SUBREDDITS } from './fill-skipped';
import { pageAt, POSITIONS, type ListCase, type Position } from './list-case';

const PAGE_SIZE = 50;

type Scope = Pick<SkippedPageQuery, 'subreddit' | 'reason' | 'from' | 'before'>;

const [subreddit] = SUBREDDITS;
const rareSubreddit = SUBREDDITS.at(-1);
const [reason] = SKIP_REASONS;
const rareReason = SKIP_REASONS.at(-1);
/** Midnights of a time zone two and of one five and a half hours from UTC. */
const from = new Date('2026-03-14T22:00:00Z');
const before = new Date('2026-08-20T18:30:00Z');

const SINGLE: Record<string, Scope> = {
  'no filter': {},
  'subreddit (20 %)': { subreddit },
  'subreddit (3 %)': { subreddit: rareSubreddit },
  'reason (25 %)': { reason },
  'reason (3 %)': { reason: rareReason },
  'from a day': { from },
  'to a day': { before },
};

const COMBINED: Record<string, Scope> = {
  'subreddit, reason': { subreddit, reason },
  'days from, to': { from, before },
  'subreddit, days': { subreddit, from, before },
  'reason, days': { reason, from, before },
  'subreddit, reason, days': { subreddit, reason, from, before },
  'rare subreddit, rare reason': { subreddit: rareSubreddit, reason: rareReason },
};

const ask =
  (query: Omit<SkippedPageQuery, 'page' | 'limit'>, position: Position): ListCase['ask'] =>
  async (database, total) => {
    const page = pageAt(position, total, PAGE_SIZE);
    const listed = await database.read.skipped.page({ ...query, page, limit: PAGE_SIZE });
    return { rows: listed.rows.length, total: listed.total };
  };

const statistics =
  (filter: SkippedFilter): ListCase['ask'] =>
  async (database) => {
    const counts = await database.read.skipped.statistics(filter);
    return { rows: counts.length, total: counts.reduce((sum, { count }) => sum + count, 0) };
  };

/** The default order with no and each single filter, then every order with every set of filters. */
export function skippedCases(): ListCase[] {
  const cases: ListCase[] = [];
  const list = 'skipped posts';
  for (const [name, scope] of Object.entries(SINGLE))
    for (const position of POSITIONS)
      cases.push({ list, name, position, flat: true, ask: ask({ ...scope, sortBy: 'skippedAt', sortOrder: 'desc' }, position) });
  for (const sortBy of SKIPPED_SORTS)
    for (const sortOrder of SORT_ORDERS)
      for (const [name, scope] of Object.entries({ ...SINGLE, ...COMBINED })) {
        if (sortBy === 'skippedAt' && sortOrder === 'desc' && name in SINGLE) continue;
        const words = `${name}; by ${sortBy.replace('redditData.', '')} ${sortOrder}`;
        for (const position of POSITIONS)
          cases.push({ list, name: words, position, flat: false, ask: ask({ ...scope, sortBy, sortOrder }, position) });
      }
  cases.push({ list: 'skip statistics', name: 'no filter', position: 'first', flat: true, ask: statistics({}) });
  cases.push({ list: 'skip statistics', name: 'subreddit', position: 'first', flat: true, ask: statistics({ subreddit }) });
  cases.push({ list: 'skip statistics', name: 'days from, to', position: 'first', flat: true, ask: statistics({ from, before }) });
  return cases;
}
