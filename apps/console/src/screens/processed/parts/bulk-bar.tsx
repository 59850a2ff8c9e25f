import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { useItemActions } from '../item-actions';
import { isPosted } from '../item-facts';
import { useSelected, type Selection } from '../selection';

/** What is selected and what can be done with all of it; there while anything is. */
export function BulkBar({ items, selection }: { items: readonly ContentItem[]; selection: Selection }) {
  const { add, discard } = useItemActions();
  const ids = useSelected(selection);
  if (ids.size === 0) return null;
  const chosen = items.filter((item) => ids.has(item.id));
  const queueable = chosen.filter((item) => !isPosted(item));
  const run = (work: (items: readonly ContentItem[]) => void, on: readonly ContentItem[]) => () => {
    selection.clear();
    work(on);
  };
  return (
    <Box
      role="region"
      aria-label={TEXT.selected(chosen.length)}
      sx={{
        position: 'sticky',
        bottom: 16,
        zIndex: 5,
        mt: 4,
        mx: 'auto',
        width: 'fit-content',
        maxWidth: 1,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        px: 4,
        py: 2.5,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'line.strong',
        borderRadius: 2.5,
        boxShadow: 6,
      }}
    >
      <Box role="status" className="tabular" sx={{ fontWeight: 580, mr: 2 }}>
        {TEXT.selected(chosen.length)}
      </Box>
      <Button size="small" variant="contained" disabled={queueable.length === 0} onClick={run(add, queueable)}>
        {TEXT.add}
      </Button>
      <Button size="small" variant="outlined" onClick={run(discard, chosen)}>
        {TEXT.discard}
      </Button>
      <Button size="small" variant="text" onClick={() => selection.clear()}>
        {TEXT.selectNone}
      </Button>
    </Box>
  );
}
