import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { useItemActions } from '../item-actions';
import { isPosted } from '../item-facts';

/** Queue, post at once, discard. What is posted already is not offered to be posted again; where nothing can be posted it says why. */
export function ItemButtons({ item }: { item: ContentItem }) {
  const { configured, busy, add, post, discard } = useItemActions();
  const disabled = busy(item.id);
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        '& > button:last-of-type:nth-of-type(odd)': { gridColumn: '1 / -1' },
      }}
    >
      {isPosted(item) ? null : (
        <Button size="small" variant="contained" disabled={disabled} onClick={() => add([item])}>
          {TEXT.add}
        </Button>
      )}
      {isPosted(item) || configured !== true ? null : (
        <Button size="small" variant="outlined" disabled={disabled} onClick={() => post(item)}>
          {TEXT.postNow}
        </Button>
      )}
      <Button size="small" variant="text" disabled={disabled} onClick={() => discard([item])}>
        {TEXT.discard}
      </Button>
      {configured === false && !isPosted(item) ? (
        <Box component="p" sx={{ m: 0, gridColumn: '1 / -1', fontSize: 12, textAlign: 'center', color: 'status.orange.text' }}>
          {TEXT.notConfigured}
        </Box>
      ) : null}
    </Box>
  );
}
