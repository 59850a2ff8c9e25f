import { useState } from 'react';
import { usePendingCases } from '../../data/rights/use-rights';
import { PERMISSIONS_TEXT as TEXT } from '../../text/takedown.text';
import { PaginationBar } from '../../ui/data-table';
import { LoadState } from '../../ui/feedback';
import { Panel } from '../../ui/layout';
import { Box } from '../../ui/mui';
import { CaseRow } from './notice-detail';

/** What is still to be removed, whatever the cause, with removals that were started and failed. */
export function PendingCases() {
  const [page, setPage] = useState(1);
  const cases = usePendingCases(page);
  const posts = cases.data?.posts;
  return (
    <Panel title={TEXT.cases} lead={TEXT.casesLead}>
      <LoadState query={cases} loading={{ rows: 2, height: 88, label: TEXT.loadingCases }} error={TEXT.error} empty={false} />
      <Box sx={{ fontSize: 13 }}>
        {posts?.length === 0 ? TEXT.noCases : posts?.map((found) => <CaseRow key={found.id} found={found} />)}
      </Box>
      {cases.data === undefined ? null : <PaginationBar noun={TEXT.countedCases} pagination={cases.data.pagination} onPage={setPage} />}
    </Panel>
  );
}
