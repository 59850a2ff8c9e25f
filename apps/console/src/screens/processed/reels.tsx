import { mdiChevronDown, mdiChevronUp, mdiClose, mdiPlayPause, mdiVolumeHigh, mdiVolumeOff } from '@mdi/js';
import { type ContentItem, LIMITS } from '@autoposter/contracts';
import { useState } from 'react';
import { CaptionEditor } from '../../app/caption-editor';
import { useContentDetails } from '../../data/content/use-content';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { ActionButton } from '../../ui/actions';
import { hashtag, sourceName, titleText } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { Dialog } from '../../ui/back-button';
import { Box, IconButton, Stack, Typography } from '../../ui/mui';
import { StatusPill, Tag } from '../../ui/status';
import { useStoredText } from '../../ui/use-stored-text';
import { isPosted, ItemButtons, useItemActions } from './item-actions';
import type { ProcessedFields, ProcessedUrlState } from './item-filters';
import { Comments, ReviewNote, Section, Variations } from './item-sections';
import { ReelScroller } from './reel-scroller';

const { reelsHashtags, reelsVariations, reelsComments, variationCharacters, commentCharacters } = LIMITS.console;

function Hashtags({ tags }: { tags: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const hidden = tags.length - reelsHashtags;
  return (
    <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
      {(open ? tags : tags.slice(0, reelsHashtags)).map((tag) => (
        <Tag key={tag}>{hashtag(tag)}</Tag>
      ))}
      {hidden > 0 ? (
        <ActionButton
          small
          label={open ? 'Show less' : TEXT.more(hidden)}
          variant="text"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      ) : null}
    </Stack>
  );
}

/** Text and actions of the current post. `edits` counts requests to edit the caption. */
function ReelText({ item, edits, onDetails }: { item: ContentItem; edits: number; onDetails: () => void }) {
  const [before] = useState(edits);
  const [edit, setEdit] = useState<{ text: string; count: number } | null>(null);
  const startEdit = (text: string) => setEdit((last) => ({ text, count: (last?.count ?? 0) + 1 }));
  const ai = item.aiContent;
  const comments = item.commentsData?.topComments ?? [];
  return (
    <Stack sx={{ gap: 5, p: 6, overflowY: { md: 'auto' }, borderLeft: { md: 1 }, borderColor: { md: 'line.main' } }}>
      <Box>
        <Typography component="h2" dir="auto" sx={{ fontSize: 20, fontWeight: 640, letterSpacing: '-0.015em', overflowWrap: 'anywhere' }}>
          {titleText(item.title)}
        </Typography>
        <Stack direction="row" sx={{ mt: 2, gap: 2, alignItems: 'center', color: 'text.secondary' }}>
          {isPosted(item) ? <StatusPill status="posted" label={TEXT.posted} /> : null}
          {sourceName(item)}
        </Stack>
      </Box>
      <ReviewNote item={item} />
      <ItemButtons item={item} />
      {ai === null ? null : (
        <>
          <Section title="Caption">
            <CaptionEditor
              key={`${edit?.count ?? 0} ${edits - before}`}
              id={item.id}
              caption={ai.caption}
              hashtags={ai.hashtags}
              startWith={edit?.text ?? (edits > before ? ai.caption : null)}
            />
          </Section>
          <Section title="Hashtags">
            <Hashtags tags={ai.hashtags} />
          </Section>
          {ai.captionVariations.length === 0 ? null : (
            <Section title="Variations">
              <Variations variations={ai.captionVariations.slice(0, reelsVariations)} characters={variationCharacters} onUse={startEdit} />
            </Section>
          )}
        </>
      )}
      {comments.length === 0 ? null : (
        <Section title="Top comments">
          <Comments comments={comments.slice(0, reelsComments)} characters={commentCharacters} onUse={startEdit} />
        </Section>
      )}
      <ActionButton label={TEXT.details} onClick={onDetails} sx={{ alignSelf: 'flex-start' }} />
    </Stack>
  );
}

/** Whether Reels mode is muted. Stored in this browser; muted by default. */
function useReelSound(): [boolean, (muted: boolean) => void] {
  const [stored, store] = useStoredText('localStorage', 'autoposter.reels-muted');
  return [stored !== 'no', (muted) => store(muted ? 'yes' : 'no')];
}

interface ReelControlsProps {
  position: string;
  muted: boolean;
  hasVideo: boolean;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onPlay: () => void;
  onMuted: () => void;
}

const ROUND = {
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'line.main',
  width: 44,
  height: 44,
  '&:hover': { bgcolor: 'background.paper' },
  '&.Mui-disabled': { bgcolor: 'background.paper', opacity: 0.6 },
};
const PILL = {
  position: 'absolute',
  top: 14,
  left: 14,
  alignItems: 'center',
  gap: 2,
  bgcolor: 'overlay.main',
  color: 'overlay.text',
  borderRadius: 999,
};

function Round({ label, icon, onClick, pressed }: { label: string; icon: string; onClick: (() => void) | undefined; pressed?: boolean }) {
  return (
    <IconButton
      aria-label={label}
      disabled={onClick === undefined}
      onClick={onClick}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      sx={ROUND}
    >
      <Icon path={icon} />
    </IconButton>
  );
}

function ReelControls({ position, muted, hasVideo, onClose, onPrevious, onNext, onPlay, onMuted }: ReelControlsProps) {
  return (
    <>
      <Stack sx={{ position: 'absolute', right: 14, top: '50%', transform: 'translateY(-50%)', gap: 2 }}>
        <Round label={TEXT.previous} icon={mdiChevronUp} onClick={onPrevious} />
        {hasVideo ? <Round label={TEXT.playPause} icon={mdiPlayPause} onClick={onPlay} /> : null}
        {hasVideo ? <Round label={TEXT.sound} icon={muted ? mdiVolumeOff : mdiVolumeHigh} pressed={!muted} onClick={onMuted} /> : null}
        <Round label={TEXT.next} icon={mdiChevronDown} onClick={onNext} />
      </Stack>
      <Stack direction="row" sx={{ ...PILL, pl: 1, pr: 4 }}>
        <IconButton aria-label="Close" onClick={onClose} sx={{ color: 'overlay.text' }}>
          <Icon path={mdiClose} />
        </IconButton>
        <Box role="status" sx={{ fontSize: 13, fontWeight: 580 }}>
          {position}
        </Box>
      </Stack>
    </>
  );
}

interface ReelsProps {
  items: readonly ContentItem[];
  urlState: ProcessedUrlState;
  onChange: (change: Partial<ProcessedFields>, options?: { flushSync?: boolean }) => void;
}

/** Index of the item; if it left the list, the index of the item that took its position. */
function useCurrentIndex(items: readonly ContentItem[], id: string | null): number {
  const [place, setPlace] = useState(0);
  const found = items.findIndex((item) => item.id === id);
  if (found >= 0 && found !== place) setPlace(found);
  return found >= 0 ? found : id === null ? 0 : Math.min(place, items.length - 1);
}

/** Runs only while the focus is inside Reels mode, not in a dialog opened above it. */
const onReel = (run: () => void) => (event: KeyboardEvent) => {
  if (event.target instanceof Element && event.target.closest('[data-reels]') !== null) run();
};

export function Reels({ items, urlState, onChange }: ReelsProps) {
  const index = useCurrentIndex(items, urlState.item);
  const current = items[index];
  const details = useContentDetails(current?.id ?? null);
  const [edits, setEdits] = useState(0);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [muted, setMuted] = useReelSound();
  const { add, discard } = useItemActions();
  const close = () => onChange({ view: 'grid', item: '' });
  const go = (to: number) => {
    const next = items[to];
    // Otherwise a second key press would still see the previous post.
    if (next !== undefined) onChange({ item: next.id }, { flushSync: true });
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
      slotProps={{ paper: { 'aria-label': `Reels: ${titleText(current.title)}`, 'aria-labelledby': undefined } }}
    >
      <Box sx={{ display: 'grid', height: { md: '100dvh' }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 420px' } }}>
        <Box sx={{ position: 'relative', height: { xs: '72dvh', md: '100dvh' }, bgcolor: 'sunken.main', overflow: 'hidden' }}>
          <ReelScroller items={items} index={index} muted={muted} onMuted={setMuted} onIndex={go} onVideo={setVideo} />
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
