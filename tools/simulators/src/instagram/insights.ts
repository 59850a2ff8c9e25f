import { graphRefusal } from './graph-refusal';
import { listOf } from './create-container';
import { requireParam, type GraphCall } from './instagram-parts';
import type { PublishedItem } from './instagram-state';

const COMMON = ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
const BY_PRODUCT: Readonly<Record<string, readonly string[]>> = {
  REELS: [...COMMON, 'ig_reels_avg_watch_time', 'ig_reels_video_view_total_time', 'reels_skip_rate'],
  FEED: [...COMMON, 'profile_visits', 'follows', 'profile_activity'],
  STORY: ['views', 'reach', 'shares', 'total_interactions', 'navigation', 'replies'],
};
const RETIRED = ['impressions', 'plays', 'video_views'];

/** Fresh media have no numbers yet, which is an empty list; a metric that does not fit fails the whole request. */
export function insights(item: PublishedItem, call: GraphCall, now: number): { data: unknown[] } {
  const asked = listOf(requireParam(call, 'metric')) ?? [];
  const product = item.kind === 'REELS' ? 'REELS' : item.kind === 'STORIES' ? 'STORY' : 'FEED';
  const retired = asked.filter((metric) => RETIRED.includes(metric));
  if (retired.length > 0) {
    throw graphRefusal('bad_param', {
      what: `Starting from version v22.0 and above, the ${retired.join(', ')} metric is no longer supported for the queried media.`,
    });
  }
  const unfit = asked.filter((metric) => !BY_PRODUCT[product]?.includes(metric));
  if (unfit.length > 0) {
    throw graphRefusal('bad_param', {
      what: `The Media Insights API does not support the ${unfit.join(', ')} metric for this media product type.`,
    });
  }
  const hours = Math.floor((now - item.publishedAt) / 3_600_000);
  if (hours < 1) return { data: [] };
  const data = asked.map((name, index) => ({
    name,
    period: 'lifetime',
    values: [{ value: hours * (40 - index * 3) }],
    title: name.replaceAll('_', ' '),
    description: `[IG Insights] ${name}`,
    id: `${item.id}/insights/${name}/lifetime`,
  }));
  return { data };
}
