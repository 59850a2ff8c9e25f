import type { QueueItem } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSetCover } from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { FileButton } from '../../ui/file-button';
import { Box, FormHelperText, Stack } from '../../ui/mui';

const TEXT = QUEUE_TEXT.options.cover;
/** Half of the width that Instagram shows in a profile. */
const PREVIEW = { width: 90, height: 160, objectFit: 'contain' } as const;

/** The uploaded cover of a reel, stored as soon as it is chosen. `whyNot`: why the post cannot have one. */
export function CoverField({ item, label, whyNot }: { item: QueueItem; label: string; whyNot: string | null }) {
  const change = useSetCover();
  const [url, setUrl] = useState(item.coverUrl ?? null);
  const send = (file: Blob | null) =>
    void notifyResult(
      change.mutateAsync({ id: item._id, file }).then(({ data }) => setUrl(data.coverUrl ?? null)),
      file === null ? TEXT.removed : TEXT.saved,
      QUEUE_TEXT.error,
    );
  return (
    <Box role="group" aria-label={label} sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <span>{label}</span>
      {url === null ? null : <Box component="img" src={url} alt={TEXT.preview} sx={PREVIEW} />}
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        {whyNot === null ? <FileButton small label={TEXT.choose} purpose="cover" loading={change.isPending} onChosen={send} /> : null}
        {url === null ? null : <ActionButton small label={TEXT.remove} disabled={change.isPending} onClick={() => send(null)} />}
      </Stack>
      <FormHelperText>{whyNot ?? TEXT.hint}</FormHelperText>
    </Box>
  );
}
