import type { ContentItem } from '@autoposter/contracts';
import Button from '@mui/material/Button';
import { BulkBar, useSelected, type Selection } from '../../../app/bulk/selection';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { useItemActions } from '../item-actions';
import { isPosted } from '../item-facts';

/** What can be done with all posts that are selected; there while any is. */
export function BulkActions({ items, selection }: { items: readonly ContentItem[]; selection: Selection }) {
  const { add, discard } = useItemActions();
  const ids = useSelected(selection);
  const chosen = ids.size === 0 ? [] : items.filter((item) => ids.has(item.id));
  if (chosen.length === 0) return null;
  const queueable = chosen.filter((item) => !isPosted(item));
  const run = (work: (items: readonly ContentItem[]) => void, on: readonly ContentItem[]) => () => {
    selection.clear();
    work(on);
  };
  return (
    <BulkBar selected={chosen.length} onClear={() => selection.clear()}>
      <Button size="small" variant="contained" disabled={queueable.length === 0} onClick={run(add, queueable)}>
        {TEXT.add}
      </Button>
      <Button size="small" variant="outlined" onClick={run(discard, chosen)}>
        {TEXT.discard}
      </Button>
    </BulkBar>
  );
}
