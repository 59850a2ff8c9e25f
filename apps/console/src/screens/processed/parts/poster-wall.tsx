import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useLayoutEffect, useRef, useState } from 'react';
import { VirtualList } from '../../../ui/virtual-list';
import { ContentCard } from './content-card';

interface PosterWallProps {
  items: readonly ContentItem[];
  configured: boolean | undefined;
  onDetails: (id: string) => void;
  onAnalysis: (id: string) => void;
}

const CARD_PX = 232;
const GAP_PX = 16;
const CARD_TEXT_PX = 250;
const POSTER_RATIO = 5 / 4;

/** How many columns fit; 4 while nothing is measured. */
function useColumns(narrow: boolean) {
  const wall = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(narrow ? 1 : 4);
  useLayoutEffect(() => {
    const element = wall.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) setColumns(Math.max(1, Math.floor((width + GAP_PX) / (CARD_PX + GAP_PX))));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { wall, columns };
}

const inRows = (items: readonly ContentItem[], columns: number): ContentItem[][] =>
  Array.from({ length: Math.ceil(items.length / columns) }, (_none, row) => items.slice(row * columns, (row + 1) * columns));

/** The posts as a wall of cards; only the rows near the viewport are drawn. */
export function PosterWall({ items, configured, onDetails, onAnalysis }: PosterWallProps) {
  const narrow = useMediaQuery('(max-width: 560px)');
  const { wall, columns } = useColumns(narrow);
  return (
    <Box ref={wall}>
      <VirtualList
        items={inRows(items, columns)}
        keyOf={(row) => row[0]?.id ?? ''}
        estimate={CARD_PX * POSTER_RATIO + CARD_TEXT_PX}
        gap={GAP_PX}
        label="Processed posts"
        render={(row) => (
          <Box sx={{ display: 'grid', gap: `${GAP_PX}px`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
            {row.map((item) => (
              <ContentCard
                key={item.id}
                item={item}
                configured={configured}
                onDetails={() => onDetails(item.id)}
                onAnalysis={() => onAnalysis(item.id)}
              />
            ))}
          </Box>
        )}
      />
    </Box>
  );
}
