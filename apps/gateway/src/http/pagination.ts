import type { Pagination } from '@autoposter/contracts';

/** A page after the last one is empty and has a page before it. */
export function presentPagination(page: number, pageSize: number, totalCount: number): Pagination {
  const totalPages = Math.ceil(totalCount / pageSize);
  return { currentPage: page, totalPages, totalCount, hasPrevPage: page > 1, hasNextPage: page < totalPages };
}
