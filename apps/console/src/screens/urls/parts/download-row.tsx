import { LIMITS, type Download } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { itemPath } from '../../../app/paths';
import { useDeleteDownload, useRetryDownload } from '../../../data/downloads/use-downloads';
import { CallError, errorText } from '../../../data/http/client';
import { URLS_TEXT } from '../../../text/urls.text';
import { useConfirm } from '../../../ui/confirm-dialog';
import { formatDateTime, sourceName } from '../../../ui/format';
import { stageProgressOf } from '../../../ui/stage-progress';
import { notify } from '../../../ui/notifications';
import { PlatformBadge } from '../../../ui/tag';
import { Poster } from '../../../ui/poster';
import { StageBar } from '../../../ui/stage-bar';
import { StatusPill } from '../../../ui/status-pill';
import { STANDALONE_LINK } from '../../../theme/tokens';
import { canRetry } from '../filter-downloads';
import { DownloadFacts } from './download-facts';
import { DownloadProblems } from './download-problems';

/** An answer with a reason reads differently from no answer at all. */
const told = (error: unknown, answered: (text: string) => string, unanswered: (text: string) => string): string =>
  error instanceof CallError && error.status > 0 ? answered(error.message) : unanswered(errorText(error));

function Actions({ item }: { item: Download }) {
  const retry = useRetryDownload();
  const remove = useDeleteDownload();
  const { confirm, dialog } = useConfirm();
  const most = item.maxRetries ?? LIMITS.retries.maxByHand;
  const again = () =>
    void retry.mutateAsync(item).then(
      () => notify.success(URLS_TEXT.retried),
      (error: unknown) => notify.failure(told(error, URLS_TEXT.retryFailed, URLS_TEXT.retryError)),
    );
  // told by the answer itself: the row has gone by then
  const gone = () =>
    void remove.mutateAsync(item._id).then(
      () => notify.success(URLS_TEXT.deleted),
      (error: unknown) => notify.failure(told(error, URLS_TEXT.deleteFailed, URLS_TEXT.deleteError)),
    );
  return (
    <Stack direction="row" sx={{ gap: 2, flexShrink: 0, '& > :first-of-type': { ml: { xs: -2.5, sm: 0 } } }}>
      {canRetry(item) ? (
        <Button size="small" variant="outlined" loading={retry.isPending} onClick={again} className="tabular">
          Retry ({item.retryCount}/{most})
        </Button>
      ) : null}
      <Button
        size="small"
        variant="text"
        loading={remove.isPending}
        aria-label={`Delete ${item.title}`}
        onClick={() => confirm({ question: URLS_TEXT.deleteQuestion, detail: item.title, confirm: 'Delete', danger: true }, gone)}
      >
        Delete
      </Button>
      {dialog}
    </Stack>
  );
}

/** One post: what it is, where it is on its way, and why it does not go on. */
export function DownloadRow({ item }: { item: Download }) {
  const rail = stageProgressOf(item);
  return (
    <Box component="article" sx={{ display: 'flex', gap: 4, px: 5, py: 4.5, borderTop: 1, borderColor: 'line.main' }}>
      <Poster src={item.posterUrl} width={58} />
      <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 2.5 }}>
        <Stack direction="row" sx={{ gap: 3, alignItems: 'flex-start', justifyContent: 'space-between', flexWrap: 'wrap' }}>
          <Box sx={{ minWidth: 0, flex: '1 1 280px' }}>
            <Typography component="h3" sx={{ fontWeight: 580, overflowWrap: 'anywhere' }}>
              {item.title === '' ? item.originalUrl : item.title}
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
