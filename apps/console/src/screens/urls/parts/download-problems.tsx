import type { Download } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import { PROCESSED_TEXT } from '../../../text/processed.text';
import { moment } from '../../../ui/format';
import { MessageBar } from '../../../ui/message-bar';

/** Why a post does not go on: its errors with stage and time, what to do, and what a person is asked to look at. */
export function DownloadProblems({ item }: { item: Download }) {
  const reasons = item.reviewReasons ?? [];
  const failed = item.status === 'failed';
  return (
    <>
      {item.processingErrors.length === 0 ? null : (
        <MessageBar tone={failed ? 'red' : 'orange'}>
          <Box component="ul" aria-label="Processing errors" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
            {item.processingErrors.map((error, index) => (
              <li key={`${index}${error.timestamp}`}>
                <strong>{error.stage}</strong>: {error.message}{' '}
                <Box component="span" className="tabular" sx={{ opacity: 0.85 }}>
                  ({moment(error.timestamp)})
                </Box>
              </li>
            ))}
          </Box>
          {failed && item.nextAction !== null && item.nextAction !== undefined ? (
            <Box sx={{ mt: 1, fontWeight: 560 }}>{item.nextAction}</Box>
          ) : null}
        </MessageBar>
      )}
      {item.needsReview === true && reasons.length > 0 ? <MessageBar tone="orange">{PROCESSED_TEXT.review(reasons)}</MessageBar> : null}
    </>
  );
}
