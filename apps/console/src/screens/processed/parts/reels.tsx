import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import { useState } from 'react';
import { useContentDetails } from '../../../data/content/use-content';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { useItemActions } from '../item-actions';
import { isPosted } from '../item-facts';
import type { ProcessedAddress, ProcessedFields } from '../processed.url';
import { ReelControls } from './reel-controls';
import { ReelStage } from './reel-stage';
import { ReelText } from './reel-text';
import { useReelSound } from './use-reel-sound';

interface ReelsProps {
  items: readonly ContentItem[];
  address: ProcessedAddress;
  onChange: (change: Partial<ProcessedFields>) => void;
}

/** Where the item stands; when it left the list, the one that took its place is shown. */
function usePlace(items: readonly ContentItem[], id: string | null): number {
  const [place, setPlace] = useState(0);
  const found = items.findIndex((item) => item.id === id);
  if (found >= 0 && found !== place) setPlace(found);
  return found >= 0 ? found : id === null ? 0 : Math.min(place, items.length - 1);
}

/** Keys work while the focus is on the reel itself, not in a dialog that opened over it. */
const onReel = (run: () => void) => (event: KeyboardEvent) => {
  if (event.target instanceof Element && event.target.closest('[data-reels]') !== null) run();
};

/** One post at a time on the whole screen; up and down go on, unless somebody is typing. */
export function Reels({ items, address, onChange }: ReelsProps) {
  const index = usePlace(items, address.item);
  const current = items[index];
  const details = useContentDetails(current?.id ?? null);
  const [edits, setEdits] = useState(0);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [muted, setMuted] = useReelSound();
  const { add, discard } = useItemActions();
  const close = () => onChange({ view: 'grid', item: '' });
  const go = (to: number) => {
    const next = items[to];
    if (next !== undefined) onChange({ item: next.id });
  };
  const togglePlay = () => (video?.paused === true ? void video.play().catch(() => undefined) : video?.pause());
  useShortcuts(
    TEXT.reels,
    current === undefined
      ? []
      : [
          { keys: 'ArrowUp', label: TEXT.previous, run: onReel(() => go(index - 1)) },
          { keys: 'ArrowDown', label: TEXT.next, run: onReel(() => go(index + 1)) },
          { keys: ' ', label: TEXT.playPause, run: onReel(togglePlay) },
          { keys: 'm', label: TEXT.sound, run: onReel(() => setMuted(!muted)) },
          { keys: 'a', label: TEXT.add, run: onReel(() => (isPosted(current) ? undefined : add([current]))) },
          { keys: 'e', label: TEXT.edit, run: onReel(() => setEdits(edits + 1)) },
          { keys: 'd', label: TEXT.discard, run: onReel(() => discard([current])) },
        ],
    { inDialog: true },
  );
  if (current === undefined) return null;
  const whole = details.data?.id === current.id ? { ...details.data, ...current, commentsData: details.data.commentsData } : current;
  return (
    <Dialog
      open
      fullScreen
      onClose={close}
      data-reels=""
      slotProps={{ paper: { 'aria-label': `Reels: ${current.title}`, 'aria-labelledby': undefined } }}
    >
      <Box sx={{ display: 'grid', height: { md: '100dvh' }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 420px' } }}>
        <Box sx={{ position: 'relative', height: { xs: '72dvh', md: '100dvh' }, bgcolor: 'sunken.main', overflow: 'hidden' }}>
          <ReelStage items={items} index={index} muted={muted} onMuted={setMuted} onIndex={go} onVideo={setVideo} />
          <ReelControls
            position={`${index + 1} / ${items.length}`}
            muted={muted}
            hasVideo={current.mediaType === 'video'}
            onClose={close}
            onPrevious={index > 0 ? () => go(index - 1) : undefined}
            onNext={index < items.length - 1 ? () => go(index + 1) : undefined}
            onPlay={togglePlay}
            onMuted={() => setMuted(!muted)}
          />
        </Box>
        <ReelText key={current.id} item={whole} edits={edits} onDetails={() => onChange({ item: current.id, dialog: 'details' })} />
      </Box>
    </Dialog>
  );
}
