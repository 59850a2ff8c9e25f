import type { ContentItem } from '@autoposter/contracts';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { usePreferences } from '../../preferences/preferences';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { titleText } from '../../ui/format';
import { LazyVideo } from '../../ui/media';
import { allowsAutoplay } from './item-actions';
import { Box } from '../../ui/mui';

interface ReelScrollerProps {
  items: readonly ContentItem[];
  index: number;
  muted: boolean;
  onMuted: (muted: boolean) => void;
  /** Called when a swipe or wheel scroll ends at this item. */
  onIndex: (index: number) => void;
  onVideo: (video: HTMLVideoElement | null) => void;
}

/** Time without scroll events after which a scroll has ended. */
const AT_REST_MS = 120;

/** Difference of scroll positions up to which they are the same: browsers round them. */
const SAME_POSITION_PX = 1;
const isAt = ({ scrollTop }: HTMLElement, top: number): boolean => Math.abs(scrollTop - top) <= SAME_POSITION_PX;

function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const read = () => setHeight(box.clientHeight);
    read();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(read);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

/** Vertical scroll snapping, one post per screen. Only the current and the adjacent posts are rendered; adjacent videos preload without playing. */
export function ReelScroller({ items, index, muted, onMuted, onIndex, onVideo }: ReelScrollerProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useHeight(box);
  const placed = useRef(false);
  /** Target of a programmatic scroll; `null` during a user scroll. */
  const aim = useRef<number | null>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { autoplay } = usePreferences();
  const autoplays = autoplay && allowsAutoplay();
  const atRest = useRef<() => void>(undefined);
  const awaitRest = () => {
    clearTimeout(rest.current);
    rest.current = setTimeout(() => atRest.current?.(), AT_REST_MS);
  };
  useEffect(() => {
    const element = box.current;
    if (element === null || height === 0) return;
    const top = index * height;
    // An earlier scroll may be here only on its way to another post.
    if (aim.current !== null || !isAt(element, top)) {
      aim.current = index;
      element.scrollTo({ top, behavior: placed.current && allowsAutoplay() ? 'smooth' : 'instant' });
      awaitRest();
    }
    placed.current = true;
  }, [height, index]);
  useEffect(() => () => clearTimeout(rest.current), []);
  useEffect(() => {
    atRest.current = () => {
      const element = box.current;
      if (element === null || height === 0) return;
      const aimed = aim.current;
      aim.current = null;
      if (aimed === null) {
        const at = Math.round(element.scrollTop / height);
        if (at !== index) onIndex(at);
        return;
      }
      // A busy page can interrupt its own smooth scroll; finish it instead of selecting another item.
      const top = aimed * height;
      if (!isAt(element, top)) element.scrollTo({ top, behavior: 'instant' });
    };
  });
  const onUserScroll = () => {
    aim.current = null;
  };
  const rendered = [index - 1, index, index + 1].filter((place) => items[place] !== undefined);
  return (
    <Box
      ref={box}
      onScroll={awaitRest}
      onWheel={onUserScroll}
      onTouchMove={onUserScroll}
      role="group"
      aria-label={TEXT.reels}
      tabIndex={0}
      sx={{
        position: 'absolute',
        inset: 0,
        overflowY: 'auto',
        scrollSnapType: 'y mandatory',
        overscrollBehavior: 'contain',
        scrollbarWidth: 'none',
        '&:focus-visible': { outlineOffset: -3 },
      }}
    >
      <Box sx={{ position: 'relative' }} style={{ height: items.length * height }}>
        {rendered.map((place) => {
          const item = items[place] as ContentItem;
          return (
            <Box
              key={item.id}
              aria-hidden={place !== index}
              inert={place !== index}
              style={{ position: 'absolute', insetInline: 0, top: place * height, height: height === 0 ? '100%' : height }}
              sx={{ scrollSnapAlign: 'start', scrollSnapStop: 'always', display: 'grid', placeItems: 'center' }}
            >
              <Box sx={{ height: 1, width: 1, maxWidth: 'calc(100dvh * 9 / 16)' }}>
                <Slide item={item} shown={place === index} play={autoplays} muted={muted} onMuted={onMuted} onVideo={onVideo} />
              </Box>
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

interface SlideProps extends Pick<ReelScrollerProps, 'muted' | 'onMuted' | 'onVideo'> {
  item: ContentItem;
  shown: boolean;
  play: boolean;
}

function Slide({ item, shown, play, muted, onMuted, onVideo }: SlideProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (shown) onVideo(video.current);
  }, [onVideo, shown]);
  return (
    <LazyVideo
      video={video}
      src={item.processedCdnUrl}
      poster={item.posterUrl}
      label={titleText(item.title)}
      image={item.mediaType === 'image'}
      {...(shown ? { controls: 'seek' as const } : {})}
      playing={shown && play}
      muted={!shown || muted}
      onMuted={(now) => (shown ? onMuted(now) : undefined)}
      preload
      fit="contain"
    />
  );
}
