import { mdiShieldOutline } from '@mdi/js';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { itemPath } from '../../app/paths';
import { errorText } from '../../data/http/client';
import { useClaims } from '../../data/rights/use-claims';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { PaginationBar } from '../../ui/data-table';
import { EmptyState, LoadingRows, MessageBar } from '../../ui/feedback';
import { Page, Panel } from '../../ui/layout';
import { Box, Button, ToggleButton, ToggleButtonGroup } from '../../ui/mui';
import { useUrlState } from '../../ui/use-url-state';
import { ClaimForm } from './claim-form';
import { ClaimEffect, ClaimRow, type Effect } from './claim-row';

/** The register of claimed works. `?item=` opens the form for that item. */
export function RightsScreen() {
  const { fields, page, change, setPage } = useUrlState({ status: '' });
  const [query, setQuery] = useSearchParams();
  const item = query.get('item');
  const [formOpen, setFormOpen] = useState(false);
  const [effect, setEffect] = useState<Effect | null>(null);
  const claims = useClaims({ status: fields.status, page });
  const posts = claims.data?.posts ?? [];
  const open = formOpen || item !== null;
  const done = (did?: Effect) => {
    setFormOpen(false);
    if (did !== undefined) setEffect(did);
    if (item === null) return;
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('item');
        return after;
      },
      { replace: true },
    );
  };
  return (
    <Page
      title={TEXT.title}
      lead={TEXT.lead}
      actions={
        <>
          <Button variant="outlined" disabled={claims.isFetching} onClick={() => void claims.refetch()}>
            {TEXT.refresh}
          </Button>
          <Button variant="contained" aria-expanded={open} onClick={() => (open ? done() : setFormOpen(true))}>
            {open ? TEXT.cancel : TEXT.add}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5 }}>
        {effect === null ? null : <ClaimEffect effect={effect} onClose={() => setEffect(null)} />}
        {open ? (
          <ClaimForm key={item ?? ''} link={item === null ? '' : `${window.location.origin}${itemPath(item)}`} onDone={done} />
        ) : null}
        <Panel
          title={TEXT.title}
          flush
          actions={
            <ToggleButtonGroup
              exclusive
              size="small"
              value={fields.status}
              aria-label="Status"
              onChange={(_event, status: string | null) => change({ status: status ?? '' })}
            >
              {Object.entries(TEXT.status).map(([value, label]) => (
                <ToggleButton key={value} value={value}>
                  {label}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          }
        >
          {claims.isPending ? (
            <Box sx={{ px: 5, pb: 5 }}>
              <LoadingRows rows={3} height={88} label={TEXT.loading} />
            </Box>
          ) : null}
          {claims.isError ? (
            <Box sx={{ px: 5, pb: 5 }}>
              <MessageBar tone="red">{TEXT.error(errorText(claims.error))}</MessageBar>
            </Box>
          ) : null}
          {claims.isSuccess && posts.length === 0 ? <EmptyState icon={mdiShieldOutline} title={TEXT.empty} hint={TEXT.emptyHint} /> : null}
          {posts.map((claim) => (
            <ClaimRow key={claim.id} claim={claim} onWithdrawn={() => setEffect({ title: claim.title, held: null })} />
          ))}
          {claims.data === undefined ? null : <PaginationBar noun={TEXT.counted} pagination={claims.data.pagination} onPage={setPage} />}
        </Panel>
      </Box>
    </Page>
  );
}
