import { ITEM_FLOW } from '@autoposter/domain';
import { type Download, CAPTION_STAGE } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { itemPath } from '../../../app/paths';
import { PROCESSED_TEXT } from '../../../text/processed.text';
import { URLS_TEXT } from '../../../text/urls.text';
import { acceptsManualCaption } from '../../../ui/stage-progress';
import { formatDateTime } from '../../../ui/format';
import { MessageBar } from '../../../ui/message-bar';
import { STANDALONE_LINK } from '../../../theme/tokens';

/** What to do next, unless an error says it already: its message ends with it. */
const nextStepOf = ({ nextAction, processingErrors }: Download): string | null =>
  nextAction === null || nextAction === undefined || processingErrors.some(({ message }) => message.includes(nextAction))
    ? null
    : nextAction;

/** Why a post does not go on: its errors with stage and time, what to do, and what a person is asked to look at. */
export function DownloadProblems({ item }: { item: Download }) {
  const reasons = item.reviewReasons ?? [];
  const failed = item.status === 'failed';
  const next = nextStepOf(item);
  return (
    <>
      {item.processingErrors.length === 0 ? null : (
        <MessageBar tone={failed ? 'red' : 'orange'}>
          <Box component="ul" aria-label="Processing errors" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
            {item.processingErrors.map((error, index) => (
              <li key={`${index}${error.timestamp}`}>
                <strong>{error.stage}</strong>: {error.message}{' '}
                <Box component="span" className="tabular" sx={{ opacity: 0.85 }}>
                  ({formatDateTime(error.timestamp)})
                </Box>
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
