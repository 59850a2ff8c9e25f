import { mdiDebugStepOver } from '@mdi/js';
import { LIMITS } from '@autoposter/contracts';
import { useState } from 'react';
import { useQueueZone } from '../../data/instagram-queue/use-queue';
import { useSkippedPosts, useSkipReasons, useSkipStatistics } from '../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT as TEXT } from '../../text/skipped-posts.text';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { PaginationBar } from '../../ui/data-table';
import { EmptyState, LoadState } from '../../ui/feedback';
import { Page, Panel } from '../../ui/layout';
import { useUrlState } from '../../ui/use-url-state';
import { CsvButton } from './csv-export';
import { NO_FILTERS, RangeButtons, SkipFilters, SkipStatisticsGrid } from './skip-filters';
import { SkippedTable } from './skipped-table';
import { Box } from '../../ui/mui';

export function SkippedPostsScreen() {
  const { fields: filters, page, changed: filtered, change: setFilters, setPage } = useUrlState(NO_FILTERS);
  const [open, setOpen] = useState(filtered);
  const posts = useSkippedPosts({ ...filters, page, limit: LIMITS.skippedPosts.pageSize });
  const statistics = useSkipStatistics({ subreddit: filters.subreddit, dateFrom: filters.dateFrom, dateTo: filters.dateTo });
  const reasons = useSkipReasons().data ?? [];
  const label = (reason: string) => reasons.find((option) => option.value === reason)?.label ?? reason;
  const list = posts.data?.posts ?? [];
  const timeZone = useQueueZone();
  const refresh = () => Promise.all([posts.refetch(), statistics.refetch()]);
  return (
    <Page
      title={TEXT.title}
      lead="Posts that were not collected, with the reason."
      actions={
        <>
          <ActionButton label={open ? TEXT.hide : TEXT.show} aria-expanded={open} onClick={() => setOpen(!open)} />
          <CsvButton query={{ ...filters }} label={label} disabled={list.length === 0} />
          <RefreshButton label={TEXT.refresh} onRefresh={refresh} />
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <RangeButtons filters={filters} timeZone={timeZone} onChange={setFilters} />
        {open ? <SkipFilters filters={filters} reasons={reasons} onChange={setFilters} onClear={() => setFilters(NO_FILTERS)} /> : null}
        {statistics.data !== undefined && statistics.data.length > 0 ? (
          <SkipStatisticsGrid
            statistics={statistics.data}
            label={label}
            chosen={filters.skipReason}
            onChoose={(reason) => setFilters({ skipReason: reason })}
          />
        ) : null}
        <LoadState query={{ ...posts, refetch: refresh }} loading={{ rows: 6, height: 56, label: TEXT.loading }} error={TEXT.error} />
        {posts.isSuccess ? (
          <Panel flush>
            {list.length === 0 ? (
              <EmptyState icon={mdiDebugStepOver} title={TEXT.empty} {...(filtered ? { hint: TEXT.emptyHint } : {})} />
            ) : (
              <SkippedTable posts={list} label={label} />
            )}
            <PaginationBar pagination={posts.data.pagination} onPage={setPage} />
          </Panel>
        ) : null}
      </Box>
    </Page>
  );
}
