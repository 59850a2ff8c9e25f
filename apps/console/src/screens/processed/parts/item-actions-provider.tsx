import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useInstagramConfig } from '../../../data/publishing/use-publishing';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { useConfirm } from '../../../ui/confirm-dialog';
import { sourceName } from '../../../ui/format';
import { ItemActionsContext, type ItemActions } from '../item-actions';
import { isInReach } from '../item-facts';
import { useChangeItems } from '../use-change-items';

/** What goes out, to be read once more: the final caption, who made it and where it is from. */
function Final({ item }: { item: ContentItem }) {
  const caption = item.aiContent?.caption ?? '';
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ color: 'text.primary', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {caption === '' ? TEXT.noCaption : caption}
      </Box>
      <Box>
        {TEXT.by(item.author, sourceName(item))}{' '}
        <Link href={item.originalUrl ?? item.url} target="_blank" rel="noreferrer">
          {TEXT.original}
        </Link>
      </Box>
    </Box>
  );
}

/** Gives the screen its actions, and asks before something is published. */
export function ItemActionsProvider({ children }: { children: ReactNode }) {
  const config = useInstagramConfig().data;
  const changes = useChangeItems();
  const { confirm, dialog } = useConfirm();
  const latest = useRef(changes);
  useEffect(() => {
    latest.current = changes;
  });
  const { busy } = changes;
  const actions = useMemo(
    (): ItemActions => ({
      configured: config?.isConfigured,
      outOfReach: (item) => (isInReach(item, config) ? null : (config?.mediaHint ?? TEXT.outOfReach)),
      busy: (id) => busy.has(id),
      add: (items) => void latest.current.add(items),
      discard: (items) => void latest.current.discard(items),
      post: (item) =>
        confirm(
          { question: TEXT.postQuestion, detail: <Final item={item} />, confirm: TEXT.postNow },
          () => void latest.current.post(item),
        ),
    }),
    [busy, config, confirm],
  );
  return (
    <ItemActionsContext value={actions}>
      {children}
      {dialog}
    </ItemActionsContext>
  );
}
