import { CAPTION_STAGE, type Download, LIMITS } from '@autoposter/contracts';
import { ITEM_FLOW } from '@autoposter/domain';
import { Fragment, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { itemPath } from '../../app/paths';
import { useDeleteDownload, useRetryDownload } from '../../data/downloads/use-downloads';
import { CallError, errorText } from '../../data/http/client';
import { PROCESSED_TEXT } from '../../text/processed.text';
import { URLS_TEXT } from '../../text/urls.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { MessageBar } from '../../ui/feedback';
import { count, formatDateTime, megabytes, sourceName, titleText } from '../../ui/format';
import { Poster } from '../../ui/media';
import { Box, Button, Link, Span, Stack, Typography } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { StageBar } from '../../ui/stage-bar';
import { acceptsManualCaption, stageProgressOf } from '../../ui/stage-progress';
import { PlatformBadge, StatusPill } from '../../ui/status';

export const canRetry = (item: Download): boolean =>
  item.status === 'failed' && item.retryCount < (item.maxRetries ?? LIMITS.retries.maxByHand);

const PERCENT = 100;

type Fact = [name: string, value: ReactNode];

function factsOf(item: Download): Fact[] {
  const facts: Fact[] = [
    ['Platform', item.platform],
    ['Type', item.postType],
  ];
  if (item.author !== null) facts.push(['Author', item.author]);
  if (item.redditData !== null) {
    const ratio = item.redditData.upvoteRatio;
    facts.push(['Score', `${count(item.redditData.score)}${ratio === null ? '' : ` (${Math.round(ratio * PERCENT)}% upvoted)`}`]);
  }
  if (item.instagramData?.likes !== null && item.instagramData !== null) facts.push(['Likes', count(item.instagramData.likes ?? 0)]);
  const file = item.fileInfo;
  if (file !== null) {
    facts.push(['File', `${file.fileName}, ${megabytes(file.fileSize)}`]);
    if (file.dimensions !== null) facts.push(['Size', `${file.dimensions.width} × ${file.dimensions.height}`]);
    facts.push(['Storage', file.storageType === 'cdn' ? 'CDN' : 'Local']);
    if (file.cdnUrl !== null) {
      facts.push([
        'CDN',
        <Link key="cdn" href={file.cdnUrl} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
          Open file
        </Link>,
      ]);
    }
  }
  facts.push(['Created', formatDateTime(item.createdAt)]);
  return facts;
}

function DownloadFacts({ item }: { item: Download }) {
  return (
    <Box
      component="dl"

      sx={{
        m: 0,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'baseline',
        columnGap: 4,
        rowGap: 1,
        fontSize: 12,
        '& dt': { color: 'text.secondary', whiteSpace: 'nowrap' },
        '& dd': { m: 0 },
      }}
    >
      {factsOf(item).map(([name, value]) => (
        <Fragment key={name}>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1.5, minWidth: 0, overflowWrap: 'anywhere' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Box>
        </Fragment>
      ))}
    </Box>
  );
}

function DownloadProblems({ item }: { item: Download }) {
  const reasons = item.reviewReasons ?? [];
  const failed = item.status === 'failed';
  // an item that does not wait has the next action of its last error, whose message includes it
  const isIncluded = !item.waiting && Boolean(item.processingErrors.at(-1)?.nextAction);
  const next = isIncluded ? null : (item.nextAction ?? null);
  return (
    <>
      {item.processingErrors.length === 0 ? null : (
        <MessageBar tone={failed ? 'red' : 'orange'}>
          <Box component="ul" aria-label="Processing errors" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
            {item.processingErrors.map((error, index) => (
              <li key={`${index}${error.timestamp}`}>
                <strong>{error.stage}</strong>: {error.message} <Span sx={{ opacity: 0.85 }}>({formatDateTime(error.timestamp)})</Span>
              </li>
            ))}
          </Box>
        </MessageBar>
      )}
      {next === null ? null : <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{next}</Box>}
      {item.state !== ITEM_FLOW.waitingStates[CAPTION_STAGE] && acceptsManualCaption(item) ? (
        <Link component={RouterLink} to={itemPath(item._id)} variant="body2" sx={{ ...STANDALONE_LINK, justifySelf: 'start' }}>
          {URLS_TEXT.writeCaption}
        </Link>
      ) : null}
      {item.needsReview === true && reasons.length > 0 ? <MessageBar tone="orange">{PROCESSED_TEXT.review(reasons)}</MessageBar> : null}
    </>
  );
}

/** The specification words a server error and a network error differently. */
const failureText = (error: unknown, answered: (text: string) => string, unanswered: (text: string) => string): string =>
  error instanceof CallError && error.status > 0 ? answered(error.message) : unanswered(errorText(error));

function Actions({ item }: { item: Download }) {
  const retry = useRetryDownload();
  const remove = useDeleteDownload();
  const { confirm, dialog } = useConfirm();
  const most = item.maxRetries ?? LIMITS.retries.maxByHand;
  const submitRetry = () =>
    void retry.mutateAsync(item).then(
      () => notify.success(URLS_TEXT.retried),
      (error: unknown) => notify.failure(failureText(error, URLS_TEXT.retryFailed, URLS_TEXT.retryError)),
    );
  // notifies from the promise: the row is unmounted before mutation callbacks run
  const submitDelete = () =>
    void remove.mutateAsync(item._id).then(
      () => notify.success(URLS_TEXT.deleted),
      (error: unknown) => notify.failure(failureText(error, URLS_TEXT.deleteFailed, URLS_TEXT.deleteError)),
    );
  return (
    <Stack direction="row" sx={{ gap: 2, flexShrink: 0, '& > :first-of-type': { ml: { xs: -2.5, sm: 0 } } }}>
      {canRetry(item) ? (
        <Button size="small" variant="outlined" loading={retry.isPending} onClick={submitRetry}>
          Retry ({item.retryCount}/{most})
        </Button>
      ) : null}
      <ActionButton
        small
        label="Delete"
        variant="text"
        loading={remove.isPending}
        aria-label={`Delete ${titleText(item.title, item.originalUrl)}`}
        onClick={() => confirm({ question: URLS_TEXT.deleteQuestion, detail: item.title, confirm: 'Delete', danger: true }, submitDelete)}
      />
      {dialog}
    </Stack>
  );
}

export function DownloadRow({ item }: { item: Download }) {
  const rail = stageProgressOf(item);
  return (
    <Box component="article" sx={{ display: 'flex', gap: 4, px: 5, py: 4.5, borderTop: 1, borderColor: 'line.main' }}>
      <Poster src={item.posterUrl} width={58} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 2.5 }}>
        <Stack direction="row" sx={{ gap: 3, alignItems: 'flex-start', justifyContent: 'space-between', flexWrap: 'wrap' }}>
          <Box sx={{ minWidth: 0, flex: '1 1 280px' }}>
            <Typography component="h3" dir="auto" sx={{ fontWeight: 580, overflowWrap: 'anywhere' }}>
              {titleText(item.title, item.originalUrl)}
            </Typography>
            <Stack direction="row" sx={{ gap: 2, mt: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
              <StatusPill status={item.status} />
              <PlatformBadge platform={item.platform} />
              <Typography variant="body2">{sourceName(item)}</Typography>
              <Link href={item.originalUrl} target="_blank" rel="noreferrer" variant="body2" sx={STANDALONE_LINK}>
                Original post
              </Link>
              <Link component={RouterLink} to={itemPath(item._id)} variant="body2" sx={STANDALONE_LINK}>
                {URLS_TEXT.timeline}
              </Link>
            </Stack>
          </Box>
          <Actions item={item} />
        </Stack>
        <Stack direction={{ xs: 'column', lg: 'row' }} sx={{ gap: { xs: 2, lg: 5 }, alignItems: { lg: 'center' } }}>
          <Box sx={{ flex: { lg: '0 1 460px' } }}>
            <StageBar rail={rail} />
          </Box>
          <Typography variant="body2" sx={{ fontWeight: 540, flex: 1, minWidth: 0 }}>
            {item.waiting === null || item.waiting === undefined
              ? rail.sentence
              : `Waiting${item.waiting.until === null ? '' : ` until ${formatDateTime(item.waiting.until)}`}: ${item.waiting.reason}`}
          </Typography>
        </Stack>
        <DownloadFacts item={item} />
        <DownloadProblems item={item} />
      </Box>
    </Box>
  );
}
