import type { Pagination } from '@autoposter/contracts';

export function presentPagination(page: number, pageSize: number, totalCount: number): Pagination {
  const totalPages = Math.ceil(totalCount / pageSize);
  return { currentPage: page, totalPages, totalCount, hasPrevPage: page > 1, hasNextPage: page < totalPages };
}
