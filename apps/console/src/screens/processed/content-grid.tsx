import { type ContentItem, LIMITS } from '@autoposter/contracts';
import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { memo, type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Selection, useIsSelected } from '../../app/bulk/selection';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { SELECTION_TEXT } from '../../text/shell.text';
import { CARD } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { hashtag, sourceName, titleText, truncate, videoLength } from '../../ui/format';
import { LazyVideo } from '../../ui/media';
import { Box, Checkbox, Stack, useMediaQuery } from '../../ui/mui';
import { StatusPill, Tag } from '../../ui/status';
import { allowsAutoplay, hasAnalysis, isPosted, ItemButtons } from './item-actions';
import type { OpenDialog } from './item-filters';
import { ReviewNote } from './item-sections';

const { titleCharacters, captionPreviewCharacters, cardHashtags } = LIMITS.console;
const LENGTH = {
  position: 'absolute',
  right: 10,
  bottom: 10,
  px: 1.5,
  borderRadius: 1,
  fontSize: 12,
  bgcolor: 'overlay.main',
  color: 'overlay.text',
};

interface ContentCardProps {
  item: ContentItem;
  selection: Selection;
  /** A click on the check box; Shift selects the range up to this one. */
  onSelect: (id: string, through: boolean) => void;
  onOpen: (dialog: OpenDialog, id: string) => void;
}

const ContentCard = memo(function ContentCard({ item, selection, onSelect, onOpen }: ContentCardProps) {
  const selected = useIsSelected(selection, item.id);
  const [playing, setPlaying] = useState(false);
  const hashtags = item.aiContent?.hashtags ?? [];
  const more = hashtags.length - cardHashtags;
  const analysed = hasAnalysis(item);
  const title = titleText(item.title);
  const watch = (on: boolean) => () => setPlaying(on && allowsAutoplay());
  return (
    <Box
      component="article"
      aria-label={title}
      data-item={item.id}
      onMouseEnter={watch(true)}
      onMouseLeave={watch(false)}
      onFocus={watch(true)}
      onBlur={watch(false)}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        height: 1,
        ...CARD,
        ...(selected ? { borderColor: 'primary.main', boxShadow: (theme) => `0 0 0 1px ${theme.vars?.palette.primary.main ?? ''}` } : {}),
      }}
    >
      <Box sx={{ position: 'relative', aspectRatio: '9 / 16' }}>
        <LazyVideo src={item.processedCdnUrl} poster={item.posterUrl} label={title} image={item.mediaType === 'image'} playing={playing} />
        <Stack
          direction="row"
          sx={{ position: 'absolute', top: 10, left: 10, right: 52, gap: 1.5, flexWrap: 'wrap', pointerEvents: 'none' }}
        >
          {isPosted(item) ? <StatusPill status="posted" label={TEXT.posted} /> : null}
          {item.aiContent === null ? null : <StatusPill status="completed" label={TEXT.complete} />}
        </Stack>
        <Checkbox
          checked={selected}
          slotProps={{ input: { 'aria-label': SELECTION_TEXT.one(title) } }}
          onClick={(event: MouseEvent) => onSelect(item.id, event.shiftKey)}
          sx={{ position: 'absolute', top: 4, right: 4, p: 1, bgcolor: 'background.paper', '&:hover': { bgcolor: 'background.paper' } }}
        />
        {item.durationSeconds === null || item.durationSeconds === undefined ? null : (
          <Box sx={LENGTH}>{videoLength(item.durationSeconds)}</Box>
        )}
      </Box>
      <Stack sx={{ p: 4, gap: 2.5, flex: 1, overflowWrap: 'anywhere' }}>
        <div>
          <Box component="h2" dir="auto" title={title} sx={{ m: 0, fontSize: 14, fontWeight: 590, lineHeight: 1.35 }}>
            {truncate(title, titleCharacters)}
          </Box>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{sourceName(item)}</Box>
        </div>
        {item.aiContent === null ? null : (
          <Box dir="auto" title={item.aiContent.caption} sx={{ fontSize: 13, color: 'text.secondary' }}>
            {truncate(item.aiContent.caption, captionPreviewCharacters)}
          </Box>
        )}
        {hashtags.length === 0 ? null : (
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
            {hashtags.slice(0, cardHashtags).map((tag) => (
              <Tag key={tag}>{hashtag(tag)}</Tag>
            ))}
            {more > 0 ? <Tag>{TEXT.more(more)}</Tag> : null}
          </Stack>
        )}
        <ReviewNote item={item} />
        <Box sx={{ flex: 1 }} />
        <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: analysed ? 'repeat(2, minmax(0, 1fr))' : '1fr' }}>
          <ActionButton small label={TEXT.details} onClick={() => onOpen('details', item.id)} />
          {analysed ? <ActionButton small label={TEXT.analysis} onClick={() => onOpen('analysis', item.id)} /> : null}
        </Box>
        <ItemButtons item={item} />
      </Stack>
    </Box>
  );
});

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
