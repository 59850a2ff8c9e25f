import type { Notice, Strikes } from '@autoposter/contracts';
import { mdiEmailAlertOutline } from '@mdi/js';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { errorText } from '../../data/http/client';
import { useAccountNames, useSelectedAccount, useToggleAccount } from '../../data/instagram-accounts/use-accounts';
import { useNotices, useStrikes } from '../../data/rights/use-rights';
import { serverNow } from '../../store/clock';
import { SHELL_TEXT } from '../../text/shell.text';
import { NOTICES_TEXT as TEXT } from '../../text/takedown.text';
import { ActionButton } from '../../ui/actions';
import { PaginationBar } from '../../ui/data-table';
import { LoadErrorBar, LoadState, MessageBar } from '../../ui/feedback';
import { formatDateTime, titleText } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, Stack } from '../../ui/mui';
import { nextDeadline, NoticeDetailPanel, NoticeStatusPill } from './notice-detail';
import { NoticeForm } from './notice-form';
import { PendingCases } from './pending-cases';

const ROW = { px: 5, py: 4, borderTop: 1, borderColor: 'line.main', display: 'grid', gap: 2, fontSize: 13, overflowWrap: 'anywhere' };

function NoticeRow({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const { claimant, work, reference, accountIds = [] } = notice;
  const nameOf = useAccountNames();
  const name = [titleText(work ?? claimant), reference].filter((part) => part !== null).join(' · ');
  return (
    <Box component="article" aria-label={name} sx={ROW}>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <strong>{name}</strong>
        <NoticeStatusPill status={notice.status} />
      </Stack>
      <div>{[claimant, ...nameOf(accountIds)].join(' · ')}</div>
      <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
        {nextDeadline(notice) ?? formatDateTime(notice.closedAt ?? notice.receivedAt)}
      </Box>
      <Box>
        <ActionButton small label={TEXT.open} onClick={onOpen} />
      </Box>
    </Box>
  );
}

interface StrikeRowProps {
  strike: Strikes['strikes'][number];
  onOpen: (notice: string) => void;
}

function StrikeRow({ strike, onOpen }: StrikeRowProps) {
  const nameOf = useAccountNames();
  const { reason, noticeId, accountId, struckAt, expiresAt, clearedAt } = strike;
  const until = Date.parse(expiresAt) > serverNow() ? TEXT.counts : TEXT.expired;
  const counting = accountId === null ? TEXT.countsForNone : until(formatDateTime(expiresAt));
  const end = clearedAt === null ? counting : TEXT.cleared(formatDateTime(clearedAt));
  return (
    <Box component="article" aria-label={reason} sx={ROW}>
      <strong>{reason}</strong>
      <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
        {[...nameOf([accountId]), TEXT.struck(formatDateTime(struckAt)), end].join(' · ')}
      </Box>
      {noticeId === null ? null : (
        <Box>
          <ActionButton small label={TEXT.open} onClick={() => onOpen(noticeId)} />
        </Box>
      )}
    </Box>
  );
}

/** Only a person ends a pause for strikes, also after they were cleared or have expired. */
function PausesToEnd({ strikes: { accounts: counted = [], pausesAt } }: { strikes: Strikes }) {
  const { accounts } = useSelectedAccount();
  const nameOf = useAccountNames();
  const toggle = useToggleAccount();
  const isOver = (accountId: string) => (counted.find((one) => one.accountId === accountId)?.active ?? 0) < pausesAt;
  return accounts
    .filter(({ id, publishing: { paused, cause } }) => paused && cause === 'strikes' && isOver(id))
    .map((account) => {
      const resume = () => void notifyResult(toggle.mutateAsync(account), null, TEXT.resumeFailed);
      return (
        <MessageBar
          key={account.id}
          tone="orange"
          action={<ActionButton small label={SHELL_TEXT.resume} loading={toggle.isPending} onClick={resume} />}
        >
          {TEXT.pausedFor(nameOf([account.id])[0])}
        </MessageBar>
      );
    });
}

interface NoticesViewProps {
  page: number;
  setPage: (page: number) => void;
  /** Id of the open notice, empty for the list. */
  notice: string;
  open: (id: string) => void;
}

/** Takedown notices: record one, work it, answer it. */
export function NoticesView({ page, setPage, notice, open }: NoticesViewProps) {
  const notices = useNotices(page);
  const strikes = useStrikes();
  const nameOf = useAccountNames();
  const [recording, setRecording] = useState(false);
  const posts = notices.data?.posts ?? [];
  const struck = strikes.data?.strikes ?? [];
  const leadOf = ({ active, accounts = [], pausesAt }: Strikes) => {
    const counts = accounts.flatMap((one) => nameOf([one.accountId]).map((name) => `${name} ${one.active}`));
    return counts.length === 0 ? TEXT.strikes(active, pausesAt) : TEXT.strikesOf(counts.join(', '), pausesAt);
  };
  if (notice !== '') return <NoticeDetailPanel id={notice} onBack={() => open('')} />;
  const finish = (id?: string) => {
    setRecording(false);
    if (id !== undefined) open(id);
  };
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      {strikes.data === undefined ? null : <PausesToEnd strikes={strikes.data} />}
      {recording ? <NoticeForm onDone={finish} /> : null}
      <Panel
        title={TEXT.title}
        lead={strikes.data && leadOf(strikes.data)}
        flush
        actions={recording ? null : <ActionButton variant="contained" label={TEXT.add} onClick={() => setRecording(true)} />}
      >
        <LoadState
          inset
          query={notices}
          loading={{ rows: 3, height: 88, label: TEXT.loading }}
          error={TEXT.error}
          empty={posts.length === 0 && { icon: mdiEmailAlertOutline, title: TEXT.empty, hint: TEXT.emptyHint }}
        />
        {posts.map((one) => (
          <NoticeRow key={one.id} notice={one} onOpen={() => open(one.id)} />
        ))}
        {notices.data === undefined ? null : <PaginationBar noun={TEXT.counted} pagination={notices.data.pagination} onPage={setPage} />}
      </Panel>
      <PendingCases />
      {strikes.isError ? <LoadErrorBar onRetry={() => void strikes.refetch()}>{TEXT.error(errorText(strikes.error))}</LoadErrorBar> : null}
      {struck.length === 0 ? null : (
        <Panel title={TEXT.strikesTitle} flush>
          {struck.map((one) => (
            <StrikeRow key={one.id} strike={one} onOpen={open} />
          ))}
        </Panel>
      )}
    </Box>
  );
}
