import type { CaptionVariationView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { PROCESSED_TEXT } from '../../../text/processed.text';
import { truncate } from '../../../ui/format';
import { Tag } from '../../../ui/tag';

interface VariationsProps {
  variations: readonly CaptionVariationView[];
  /** Longer texts are cut here; without it they stand whole. */
  characters?: number;
  onUse?: (caption: string) => void;
}

/** Other wordings of the caption, with tone and length. */
export function Variations({ variations, characters, onUse }: VariationsProps) {
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 3 }}>
      {variations.map((variation) => (
        <Box component="li" key={variation.variation + variation.caption} sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
            <Tag>{variation.variation}</Tag>
            <Tag>{variation.tone}</Tag>
            <Tag>{variation.length}</Tag>
          </Stack>
          <Box title={variation.caption}>{characters === undefined ? variation.caption : truncate(variation.caption, characters)}</Box>
          {onUse === undefined ? null : (
            <Button size="small" variant="outlined" onClick={() => onUse(variation.caption)}>
              {PROCESSED_TEXT.useAsCaption}
            </Button>
          )}
        </Box>
      ))}
    </Stack>
  );
}
