import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useDiscard, useEnqueue } from '../../../data/completed/use-change-completed';
import { errorText } from '../../../data/http/client';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { useConfirm } from '../../../ui/confirm-dialog';
import { sourceName } from '../../../ui/format';
import { notify } from '../../../ui/notices/notice-store';
import { isPosted } from '../item-facts';

/** Queue, post at once, discard. What is posted already is not offered to be posted again. */
export function ItemActions({ item, configured }: { item: ContentItem; configured: boolean | undefined }) {
  const enqueue = useEnqueue();
  const discard = useDiscard();
  const { confirm, dialog } = useConfirm();
  const caption = item.aiContent?.caption ?? '';
  const busy = enqueue.isPending || discard.isPending;
  const send = (postImmediately: boolean) =>
    enqueue.mutate(
      { id: item.id, caption, postImmediately },
      {
        onSuccess: () => notify.success(postImmediately ? TEXT.posting : TEXT.added),
        onError: (error) => notify.failure(TEXT.addFailed(errorText(error))),
      },
    );
  const throwAway = () => discard.mutate(item.id, { onError: (error) => notify.failure(TEXT.discardFailed(errorText(error))) });
  const final = (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ color: 'text.primary', whiteSpace: 'pre-wrap' }}>{caption}</Box>
      <Box>From {sourceName(item)}</Box>
    </Box>
  );
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        '& > :last-child:nth-of-type(odd)': { gridColumn: '1 / -1' },
      }}
    >
      {isPosted(item) ? null : (
        <Button size="small" variant="contained" disabled={busy} onClick={() => send(false)}>
          {TEXT.add}
        </Button>
      )}
      {isPosted(item) || configured !== true ? null : (
        <Button
          size="small"
          variant="outlined"
          disabled={busy}
          onClick={() => confirm({ question: TEXT.postQuestion, detail: final, confirm: TEXT.postNow }, () => send(true))}
        >
          {TEXT.postNow}
        </Button>
      )}
      <Button size="small" variant="text" disabled={busy} onClick={throwAway}>
        {TEXT.discard}
      </Button>
      {dialog}
    </Box>
  );
}
