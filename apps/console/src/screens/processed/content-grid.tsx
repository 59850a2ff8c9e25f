import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Selection } from '../../app/bulk/selection';
import { ContentCard } from './content-card';
import type { OpenDialog } from './item-filters';

interface ContentGridProps {
  items: readonly ContentItem[];
  selection: Selection;
  onOpen: (dialog: OpenDialog, id: string) => void;
}

const CARD_PX = 220;
const GAP_PX = 16;
/** Estimated height of a card's text and buttons; rows are measured after rendering. */
const CARD_TEXT_PX = 320;
const POSTER_RATIO = 16 / 9;
const GRID = { position: 'absolute', insetInline: 0, top: 0, display: 'grid', gap: GAP_PX } as const;

/** Number of columns and page offset of the grid; 4 columns before the first measurement. */
function useFrame(narrow: boolean) {
  const grid = useRef<HTMLDivElement>(null);
  const [frame, setFrame] = useState({ columns: narrow ? 1 : 4, card: CARD_PX, top: 0 });
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY);
      const columns = Math.max(1, Math.floor((width + GAP_PX) / (CARD_PX + GAP_PX)));
      const card = Math.round((width - (columns - 1) * GAP_PX) / columns);
      if (width > 0) setFrame((before) => (before.card === card && before.top === top ? before : { columns, card, top }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { grid, ...frame };
}

/** Measuring a row must not adjust the scroll position: a jump to either end would miss its target. */
function keepScrollTarget(virtual: Virtualizer<Window, Element>): void {
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false;
}

/** A virtualised grid of cards. */
export function ContentGrid({ items, selection, onOpen }: ContentGridProps) {
  const narrow = useMediaQuery('(max-width: 560px)');
  const { grid, columns, card, top } = useFrame(narrow);
  const virtual = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => Math.round(card * POSTER_RATIO) + CARD_TEXT_PX,
    gap: GAP_PX,
    overscan: 1,
    scrollMargin: top,
  });
  const { measure } = virtual;
  useEffect(() => keepScrollTarget(virtual), [virtual]);
  useEffect(() => measure(), [card, measure]);
  const order = useMemo(() => items.map((item) => item.id), [items]);
  const select = useCallback(
    (id: string, through: boolean) => (through ? selection.extendTo(id, order) : selection.toggle(id)),
    [order, selection],
  );
  return (
    <Box ref={grid} role="list" aria-label="Processed posts" sx={{ position: 'relative' }} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((row) => (
        <div
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          role="presentation"
          style={{ ...GRID, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, transform: `translateY(${row.start - top}px)` }}
        >
          {items.slice(row.index * columns, (row.index + 1) * columns).map((item, place) => (
            <div key={item.id} role="listitem" aria-setsize={items.length} aria-posinset={row.index * columns + place + 1}>
              <ContentCard item={item} selection={selection} onSelect={select} onOpen={onOpen} />
            </div>
          ))}
        </div>
      ))}
    </Box>
  );
}
