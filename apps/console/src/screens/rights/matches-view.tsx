import type { MatchAnswer, MatchEvidence, OpenMatchView } from '@autoposter/contracts';
import { mdiCompare } from '@mdi/js';
import { Link as RouterLink } from 'react-router-dom';
import { notifyResult } from '../../app/notifications/notify-result';
import { itemPath } from '../../app/paths';
import { loadEvidence, useAnswerMatch, useMatches } from '../../data/rights/use-rights';
import { MATCHES_TEXT as TEXT } from '../../text/takedown.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { PaginationBar } from '../../ui/data-table';
import { saveFile } from '../../ui/export-text';
import { LoadState } from '../../ui/feedback';
import { ToggleChoice } from '../../ui/fields';
import { formatDateTime, titleText } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { LazyVideo } from '../../ui/media';
import { Box, Link, Stack } from '../../ui/mui';
import { StatusPill } from '../../ui/status';
import { ThresholdsPanel } from './thresholds-panel';

/** Saves the evidence bundle of an item as a file. */
export function EvidenceButton({ itemId }: { itemId: string }) {
  const save = async () => {
    const { text, keyId } = await loadEvidence(itemId);
    saveFile(`evidence-${itemId}.json`, text, 'application/json');
    return keyId;
  };
  const run = () => void notifyResult(save(), TEXT.exported, TEXT.exportFailed);
  return <ActionButton small label={TEXT.evidenceFile} variant="text" onClick={run} />;
}

const ROW = { px: 5, py: 4, borderTop: 1, borderColor: 'line.main', overflowWrap: 'anywhere' } as const;

/** The nearest pictures of both sides next to each other; a video shows its matching frame first. */
export function SideBySide({ ours, theirs, kind }: Pick<MatchEvidence, 'ours' | 'theirs'> & { kind: OpenMatchView['other']['kind'] }) {
  const sides = [
    { label: TEXT.ours, shown: ours },
    { label: TEXT.with[kind], shown: theirs },
  ];
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 320px))', gap: 3 }}>
      {sides.map(({ label, shown }) => (
        <Box key={label} component="figure" sx={{ m: 0, minWidth: 0 }}>
          <Box sx={{ aspectRatio: '4 / 3', borderRadius: 2, overflow: 'hidden', border: 1, borderColor: 'line.main' }}>
            {shown === null ? (
              <Box sx={{ height: 1, display: 'grid', placeItems: 'center', p: 3, color: 'text.secondary', bgcolor: 'sunken.main' }}>
                {TEXT.nothingStored}
              </Box>
            ) : (
              <LazyVideo
                src={shown.atSeconds === null ? shown.url : `${shown.url}#t=${shown.atSeconds.toFixed(2)}`}
                label={label}
                image={shown.mediaType === 'image'}
                controls="all"
                fit="contain"
              />
            )}
          </Box>
          <Box component="figcaption" sx={{ mt: 1, fontSize: 12, color: 'text.secondary' }}>
            {TEXT.side(label, shown?.atSeconds ?? null)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function MatchRow({ match }: { match: OpenMatchView }) {
  const send = useAnswerMatch();
  const { itemId, other, verdict, answered } = match;
  const title = match.title === '' ? TEXT.deleted : titleText(match.title);
  const answer = (given: MatchAnswer) =>
    void notifyResult(
      send.mutateAsync({ itemId, other: { kind: other.kind, id: other.id }, answer: given }),
      given === 'same' ? TEXT.confirmed : TEXT.released,
      TEXT.failed,
    );
  const decided = answered === null ? formatDateTime(match.decidedAt) : TEXT.answeredBy(answered.by, formatDateTime(answered.at));
  return (
    <Box component="article" aria-label={title} sx={{ ...ROW, display: 'grid', gap: 2, fontSize: 13 }}>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <Link component={RouterLink} to={itemPath(itemId)} sx={STANDALONE_LINK}>
          {title}
        </Link>
        {answered === null ? (
          <StatusPill status={verdict} tone={verdict === 'blocked' ? 'red' : 'orange'} label={TEXT.verdicts[verdict]} />
        ) : (
          <StatusPill status={answered.answer} tone={answered.answer === 'same' ? 'red' : 'green'} label={TEXT[answered.answer]} />
        )}
      </Stack>
      <div>
        {TEXT.with[other.kind]}:{' '}
        {other.kind === 'item' ? (
          <Link component={RouterLink} to={itemPath(other.id)} sx={STANDALONE_LINK}>
            {titleText(other.title)}
          </Link>
        ) : (
          <strong>{titleText(other.title)}</strong>
        )}
      </div>
      <SideBySide ours={match.ours} theirs={match.theirs} kind={other.kind} />
      <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{[...TEXT.evidence(match), decided].join(' · ')}</Box>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        {ANSWERS.filter((given) => given !== answered?.answer).map((given) => (
          <ActionButton key={given} small label={TEXT[given]} loading={send.isPending} onClick={() => answer(given)} />
        ))}
        <EvidenceButton itemId={itemId} />
      </Stack>
    </Box>
  );
}

const ANSWERS: readonly MatchAnswer[] = ['different', 'same'];

type Shown = keyof typeof TEXT.shown;
const SHOWN = Object.entries(TEXT.shown) as [Shown, string][];

interface MatchesViewProps {
  page: number;
  setPage: (page: number) => void;
  /** Which matches are listed; a value of the address. */
  show: string;
  setShow: (show: Shown) => void;
}

/** Matches that wait for an administrator, or those that have an answer, which can be changed. */
export function MatchesView({ page, setPage, show, setShow }: MatchesViewProps) {
  const answered = show === 'answered';
  const matches = useMatches(page, answered);
  const posts = matches.data?.posts ?? [];
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Panel
        title={answered ? TEXT.answeredTitle : TEXT.title}
        lead={TEXT.lead}
        flush
        actions={
          <ToggleChoice
            label={TEXT.show}
            value={answered ? 'answered' : ''}
            options={SHOWN}
            onChange={(next) => next !== null && setShow(next)}
          />
        }
      >
        <LoadState
          inset
          query={matches}
          loading={{ rows: 3, height: 88, label: TEXT.loading }}
          error={TEXT.error}
          empty={
            posts.length === 0 && {
              icon: mdiCompare,
              title: answered ? TEXT.noAnswer : TEXT.empty,
              hint: answered ? TEXT.noAnswerHint : TEXT.emptyHint,
            }
          }
        />
        {posts.map((match) => (
          <MatchRow key={`${match.itemId} ${match.other.id}`} match={match} />
        ))}
        {matches.data === undefined ? null : <PaginationBar noun={TEXT.counted} pagination={matches.data.pagination} onPage={setPage} />}
      </Panel>
      <ThresholdsPanel />
    </Box>
  );
}
