import { mdiShieldOutline } from '@mdi/js';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { itemPath } from '../../app/paths';
import { useClaims } from '../../data/rights/use-rights';
import { RIGHTS_TEXT as TEXT } from '../../text/rights.text';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { PaginationBar } from '../../ui/data-table';
import { LoadState } from '../../ui/feedback';
import { ToggleChoice } from '../../ui/fields';
import { Panel } from '../../ui/layout';
import { Box } from '../../ui/mui';
import { useUrlState } from '../../ui/use-url-state';
import { ClaimForm } from './claim-form';
import { ClaimEffect, type Effect } from './claim-effect';
import { ClaimRow } from './claim-row';

/** The register of claimed works. `?item=` opens the form for that item. */
export function RegisterView() {
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
    <Box sx={{ display: 'grid', gap: 5 }}>
      {effect === null ? null : <ClaimEffect effect={effect} onClose={() => setEffect(null)} />}
      {open ? <ClaimForm key={item ?? ''} link={item === null ? '' : `${window.location.origin}${itemPath(item)}`} onDone={done} /> : null}
      <Panel
        title={TEXT.list}
        flush
        actions={
          <>
            <RefreshButton label={TEXT.refresh} onRefresh={claims.refetch} />
            <ActionButton
              label={open ? TEXT.cancel : TEXT.add}
              variant={open ? 'outlined' : 'contained'}
              aria-expanded={open}
              onClick={() => (open ? done() : setFormOpen(true))}
            />
            <ToggleChoice
              label="Status"
              value={fields.status}
              options={Object.entries(TEXT.status)}
              onChange={(status) => change({ status: status ?? '' })}
            />
          </>
        }
      >
        <LoadState
          inset
          query={claims}
          loading={{ rows: 3, height: 88, label: TEXT.loading }}
          error={TEXT.error}
          empty={posts.length === 0 && { icon: mdiShieldOutline, title: TEXT.empty, hint: TEXT.emptyHint }}
        />
        {posts.map((claim) => (
          <ClaimRow key={claim.id} claim={claim} onChanged={setEffect} />
        ))}
        {claims.data === undefined ? null : <PaginationBar noun={TEXT.counted} pagination={claims.data.pagination} onPage={setPage} />}
      </Panel>
    </Box>
  );
}
