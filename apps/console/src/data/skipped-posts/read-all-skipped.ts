import { api, type SkippedPost } from '@autoposter/contracts';
import { call } from '../http/client';

/** The server's largest page. */
const PAGE = 200;
/** More rows than this make a file that no table program opens with pleasure; the filters narrow it down. */
export const MAX_ROWS = 10_000;

/** All posts that the filters let through, page by page, at most `MAX_ROWS`. `total` counts those beyond too. */
export async function readAllSkipped(
  query: Record<string, string | number>,
  onProgress: (read: number, total: number) => boolean,
): Promise<{ posts: SkippedPost[]; total: number }> {
  const posts: SkippedPost[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await call(api.skippedPosts.list, { query: { ...query, page, limit: PAGE } });
    posts.push(...data.posts);
    const total = data.pagination.totalCount;
    const goOn = onProgress(posts.length, total);
    if (!goOn || !data.pagination.hasNextPage || posts.length >= MAX_ROWS) return { posts, total };
  }
}
