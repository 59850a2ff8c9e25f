import type { Notice, NoticeDetail, RightsCaseView } from '@autoposter/contracts';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { notifyResult } from '../../app/notifications/notify-result';
import { itemPath } from '../../app/paths';
import { useAccountNames } from '../../data/instagram-accounts/use-accounts';
import { useAnswerNotice, useCloseNotice, useCounterNotice, useMoveCase, useNotice, useRunAgain } from '../../data/rights/use-rights';
import { serverNow } from '../../store/clock';
import { MATCHES_TEXT, NOTICES_TEXT as TEXT } from '../../text/takedown.text';
import { STANDALONE_LINK, type StatusTone } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { DialogFrame, useConfirm } from '../../ui/dialogs';
import { LoadState, MessageBar } from '../../ui/feedback';
import { formatDateTime, titleText } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, Link, Stack, TextField } from '../../ui/mui';
import { StatusPill } from '../../ui/status';
import { EvidenceButton, SideBySide } from './matches-view';

/** `upheld` is a decision against us. */
const TONES = {
  ...{ received: 'blue', incomplete: 'orange', acting: 'orange', answered: 'green', countered: 'orange' },
  ...{ restored: 'green', upheld: 'red', rejected: 'grey' },
} as const satisfies Record<Notice['status'], StatusTone>;

export function NoticeStatusPill({ status }: Pick<Notice, 'status'>) {
  return <StatusPill status={status} tone={TONES[status]} label={TEXT.statuses[status]} />;
}

/** What has to happen next, with its date. */
export const nextDeadline = ({ status, answeredAt, answerBy, removeBy, restoreFrom, restoreBy, closedAt }: Notice): string | null => {
  if (closedAt !== null) return null;
  if (restoreFrom !== null && restoreBy !== null) return TEXT.window(formatDateTime(restoreFrom), formatDateTime(restoreBy));
  if (answeredAt !== null) return TEXT.answeredAt(formatDateTime(answeredAt));
  const answer = TEXT.answerBy(formatDateTime(answerBy));
  return status === 'acting' ? `${TEXT.removeBy(formatDateTime(removeBy))} · ${answer}` : answer;
};

const CASE_TONES = { open: 'red', removing: 'orange', held: 'green', removed: 'green', dismissed: 'grey' } as const;

const isPending = ({ state }: RightsCaseView): boolean => state === 'open' || state === 'removing';

/** A post that shows a claimed work or must go for another reason, with what can be done about it. */
export function CaseRow({ found }: { found: RightsCaseView }) {
  const move = useMoveCase();
  const send = (action: 'remove' | 'removed' | 'dismissed') =>
    void notifyResult(move.mutateAsync({ id: found.id, action }), TEXT.caseMoved, TEXT.failed);
  const nameOf = useAccountNames();
  const isOpen = isPending(found);
  /** The deadline of a claim that is not active waits. */
  const isDue = isOpen && (found.claimStatus ?? 'active') === 'active';
  return (
    <Box
      component="article"
      aria-label={titleText(found.title)}
      sx={{ py: 3, borderTop: 1, borderColor: 'line.main', display: 'grid', gap: 2, overflowWrap: 'anywhere' }}
    >
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <Link component={RouterLink} to={itemPath(found.itemId)} sx={STANDALONE_LINK}>
          {titleText(found.title)}
        </Link>
        <StatusPill status={found.state} tone={CASE_TONES[found.state]} label={TEXT.caseStates[found.state]} />
        {isOpen && found.claimStatus !== null && found.claimStatus !== 'active' ? (
          <StatusPill status={found.claimStatus} tone="grey" label={TEXT.claimOver[found.claimStatus]} />
        ) : null}
        {isDue && found.dueAt !== null && Date.parse(found.dueAt) <= serverNow() ? (
          <StatusPill status="failed" tone="red" label={TEXT.overdue} />
        ) : null}
        {isDue && found.dueAt !== null ? <span>{TEXT.due(formatDateTime(found.dueAt))}</span> : null}
      </Stack>
      <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{[...nameOf([found.accountId ?? null]), aboutOf(found)].join(' · ')}</Box>
      {found.note === null ? null : <div>{found.note}</div>}
      <CaseEvidence found={found} />
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        {found.permalink === null || found.state === 'removed' ? null : (
          <Link href={found.permalink} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
            {TEXT.permalink}
          </Link>
        )}
        {found.state === 'open' ? <ActionButton small label={TEXT.remove} loading={move.isPending} onClick={() => send('remove')} /> : null}
        {isOpen ? <ActionButton small label={TEXT.removed} loading={move.isPending} onClick={() => send('removed')} /> : null}
        {isOpen ? <ActionButton small label={TEXT.dismissed} loading={move.isPending} onClick={() => send('dismissed')} /> : null}
        {found.canRunAgain ? <RunAgainButton itemId={found.itemId} /> : null}
        <EvidenceButton itemId={found.itemId} />
      </Stack>
    </Box>
  );
}

/** A post may have a case of each claim. */
function aboutOf({ reason, claimTitle, noticeReference }: RightsCaseView): string {
  const parts = [claimTitle && TEXT.about.claim(claimTitle), noticeReference && TEXT.about.notice(noticeReference)].filter(Boolean);
  return parts.length === 0 ? TEXT.about.reasons[reason] : parts.join(' · ');
}

/** Checks a stopped post again, as a new post is checked. */
function RunAgainButton({ itemId }: { itemId: string }) {
  const run = useRunAgain();
  const start = () => void notifyResult(run.mutateAsync(itemId), TEXT.runRequested, TEXT.runFailed);
  return <ActionButton small label={TEXT.runAgain} loading={run.isPending} onClick={start} />;
}

/** Why the post is in the case, for who decides what becomes of it. */
function CaseEvidence({ found: { evidence, platformMatches } }: { found: RightsCaseView }) {
  const match = evidence?.match ?? null;
  const parts = [
    ...(evidence?.named == null ? [] : [TEXT.named[evidence.named]]),
    ...(match === null ? [] : MATCHES_TEXT.evidence(match)),
    ...(platformMatches.length === 0 ? [] : [TEXT.platformMatches(platformMatches)]),
  ];
  if (parts.length === 0) return null;
  return (
    <>
      {match === null ? null : <SideBySide ours={match.ours} theirs={match.theirs} kind="claim" />}
      <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{parts.join(' · ')}</Box>
    </>
  );
}

/** The prepared answer, for a person to check, send and record. */
function AnswerForm({ notice }: { notice: NoticeDetail }) {
  const prepared = notice.answer ?? notice.draft;
  /** `null` until it is edited: an unedited draft is updated with the state of the cases. */
  const [edited, setEdited] = useState<string | null>(null);
  const text = edited ?? prepared;
  const answer = useAnswerNotice();
  const save = () => void notifyResult(answer.mutateAsync({ id: notice.id, answer: text.trim() }), TEXT.answerRecorded, TEXT.failed);
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <TextField
        fullWidth
        multiline
        minRows={6}
        label={TEXT.answer}
        value={text}
        helperText={TEXT.answerHint}
        onChange={(event) => setEdited(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 10_000 } }}
      />
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        <ActionButton
          label={TEXT.sent}
          variant="contained"
          disabled={text.trim() === '' || text === notice.answer}
          loading={answer.isPending}
          onClick={save}
        />
        {text === prepared ? null : <ActionButton label={TEXT.useDraft} variant="text" onClick={() => setEdited(null)} />}
      </Stack>
    </Box>
  );
}

/** A closed notice takes an answer only while it has none. */
function ClosedAnswer({ notice }: { notice: NoticeDetail }) {
  const { answer } = notice;
  if (answer === null)
    return (
      <>
        <div>{TEXT.noAnswer}</div>
        <AnswerForm notice={notice} />
      </>
    );
  return <TextField fullWidth multiline label={TEXT.answer} value={answer} slotProps={{ htmlInput: { readOnly: true } }} />;
}

/** Only what the notice can end with now: an incomplete one is never upheld, and posts are not restored before their window. */
function CloseButtons({ notice: { id, claimId, restoreFrom, cases } }: { notice: NoticeDetail }) {
  const close = useCloseNotice();
  const { confirm, dialog } = useConfirm();
  const isPossible = {
    upheld: claimId !== null,
    rejected: true,
    restored: restoreFrom !== null && Date.parse(restoreFrom) <= serverNow(),
  };
  const pending = cases.filter(isPending).length;
  const outcomes = (['upheld', 'rejected', 'restored'] as const).filter((outcome) => isPossible[outcome]);
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
      {outcomes.map((outcome) => {
        const submit = () => void notifyResult(close.mutateAsync({ id, outcome }), TEXT.closed, TEXT.failed);
        const question = {
          question: `${TEXT.outcomes[outcome]}?`,
          detail: TEXT.closeDetail[outcome](pending),
          confirm: TEXT.outcomes[outcome],
        };
        return (
          <ActionButton
            key={outcome}
            small
            label={TEXT.outcomes[outcome]}
            loading={close.isPending}
            onClick={() => confirm(question, submit)}
          />
        );
      })}
      {dialog}
    </Stack>
  );
}

/** Posts that a notice stopped or removed stay so when its claim ends: a person decides which of them are published. */
function RestoreHint({ notice: { status, cases } }: { notice: NoticeDetail }) {
  if (status !== 'restored' && status !== 'rejected') return null;
  const countOf = (wanted: RightsCaseView['state']): number => cases.filter(({ state }) => state === wanted).length;
  const [stopped, removed] = [countOf('held'), countOf('removed')];
  return (
    <>
      {stopped === 0 ? null : <MessageBar tone="blue">{TEXT.stoppedBefore(stopped)}</MessageBar>}
      {removed === 0 ? null : <MessageBar tone="blue">{TEXT.removedBefore(removed)}</MessageBar>}
    </>
  );
}

/** One notice from its arrival to its answer. */
export function NoticeDetailPanel({ id, onBack }: { id: string; onBack: () => void }) {
  const query = useNotice(id);
  const notice = query.data;
  const deadline = notice === undefined ? null : nextDeadline(notice);
  const nameOf = useAccountNames();
  return (
    <Panel title={titleText(notice?.work, TEXT.title)} actions={<ActionButton label={TEXT.back} onClick={onBack} />}>
      <LoadState query={query} loading={{ rows: 3, height: 88, label: TEXT.loadingOne }} error={TEXT.error} empty={false} />
      {notice === undefined ? null : (
        <Box sx={{ display: 'grid', gap: 4, fontSize: 13, overflowWrap: 'anywhere' }}>
          <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
            <NoticeStatusPill status={notice.status} />
            <span>
              {[notice.claimant, notice.contact, notice.reference, ...nameOf(notice.accountIds ?? [])]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
          </Stack>
          {deadline === null ? null : <div>{deadline}</div>}
          {notice.missing.length === 0 ? null : (
            <MessageBar tone="orange">{TEXT.missing(notice.missing.map((element) => TEXT.elements[element]))}</MessageBar>
          )}
          <RestoreHint notice={notice} />
          {notice.repeatedAuthors.map(({ author, notices }) => (
            <MessageBar key={author} tone="orange">
              {TEXT.repeated(author, notices)}
            </MessageBar>
          ))}
          <section aria-label={TEXT.cases}>
            <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 14, fontWeight: 600 }}>
              {TEXT.cases}
            </Box>
            {notice.cases.length === 0 ? TEXT.noCases : notice.cases.map((found) => <CaseRow key={found.id} found={found} />)}
          </section>
          {notice.closedAt === null ? <AnswerForm notice={notice} /> : <ClosedAnswer notice={notice} />}
          {canBeCountered(notice) ? <CounterNoticeForm id={id} /> : null}
          {notice.closedAt === null ? <CloseButtons notice={notice} /> : null}
        </Box>
      )}
    </Panel>
  );
}

/** Once, also after the removal. */
const canBeCountered = ({ closedAt, status, claimId, counterReceivedAt }: Notice): boolean =>
  (closedAt === null || status === 'upheld') && claimId !== null && counterReceivedAt === null;

/** Records a counter notice, which opens the window in which posts are restored. */
function CounterNoticeForm({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const [sender, setSender] = useState('');
  const [statement, setStatement] = useState('');
  const counter = useCounterNotice();
  const isComplete = sender.trim() !== '' && statement.trim() !== '';
  const save = async () => {
    if (!isComplete) return;
    const body = { id, sender: sender.trim(), statement: statement.trim(), receivedAt: new Date(serverNow()).toISOString() };
    if (await notifyResult(counter.mutateAsync(body), TEXT.counterRecorded, TEXT.failed)) setOpen(false);
  };
  return (
    <>
      <div>
        <ActionButton small label={TEXT.counter} onClick={() => setOpen(true)} />
      </div>
      {open ? (
        <DialogFrame
          title={TEXT.counter}
          onClose={() => setOpen(false)}
          onSubmit={() => void save()}
          actions={
            <>
              <ActionButton label={TEXT.cancel} variant="text" onClick={() => setOpen(false)} />
              <ActionButton label={TEXT.counter} type="submit" variant="contained" disabled={!isComplete} loading={counter.isPending} />
            </>
          }
        >
          <TextField
            autoFocus
            label={TEXT.sender}
            value={sender}
            onChange={(event) => setSender(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 200 } }}
            sx={{ mt: 1 }}
          />
          <TextField
            multiline
            minRows={3}
            label={TEXT.statement}
            value={statement}
            onChange={(event) => setStatement(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 10_000 } }}
          />
        </DialogFrame>
      ) : null}
    </>
  );
}
