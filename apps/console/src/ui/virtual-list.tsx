import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Box } from './mui';

interface VirtualListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  render: (item: T) => ReactNode;
  /** Estimated row height in pixels; actual heights are measured. */
  estimate: number;
  gap?: number;
  label: string;
}

/** Longer lists are virtualised. */
const MAX_PLAIN_ROWS = 40;

/** Scrolls with the page; a long list renders only rows near the viewport. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  if (props.items.length > MAX_PLAIN_ROWS) return <LongList {...props} />;
  return (
    <Box component="ul" aria-label={props.label} sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: `${props.gap ?? 0}px` }}>
      {props.items.map((item) => (
        <li key={props.keyOf(item)}>{props.render(item)}</li>
      ))}
    </Box>
  );
}

function LongList<T>({ items, keyOf, render, estimate, gap = 0, label }: VirtualListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimate,
    gap,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => keyOf(items[index] as T),
  });
  return (
    <Box
      component="ul"
      ref={list}
      aria-label={label}
      sx={{ listStyle: 'none', m: 0, p: 0, position: 'relative' }}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map((row) => (
        <li
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          aria-setsize={items.length}
          aria-posinset={row.index + 1}
          style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${row.start - top}px)` }}
        >
          {render(items[row.index] as T)}
        </li>
      ))}
    </Box>
  );
}
