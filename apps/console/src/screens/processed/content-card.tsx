import { type ContentItem, LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Stack from '@mui/material/Stack';
import { memo, type MouseEvent, useState } from 'react';
import { type Selection, useIsSelected } from '../../app/bulk/selection';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { SELECTION_TEXT } from '../../text/selection.text';
import { hashtag, sourceName, truncate, videoLength } from '../../ui/format';
import { LazyVideo } from '../../ui/lazy-video';
import { StatusPill } from '../../ui/status-pill';
import { Tag } from '../../ui/tag';
import { hasAnalysis, isPosted, ItemButtons, allowsAutoplay } from './item-actions';
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

/** One captioned post; its video plays on hover and focus. */
export const ContentCard = memo(function ContentCard({ item, selection, onSelect, onOpen }: ContentCardProps) {
  const selected = useIsSelected(selection, item.id);
  const [playing, setPlaying] = useState(false);
  const hashtags = item.aiContent?.hashtags ?? [];
  const more = hashtags.length - cardHashtags;
  const analysed = hasAnalysis(item);
  const watch = (on: boolean) => () => setPlaying(on && allowsAutoplay());
  return (
    <Box
      component="article"
      aria-label={item.title}
      data-item={item.id}
      onMouseEnter={watch(true)}
      onMouseLeave={watch(false)}
      onFocus={watch(true)}
      onBlur={watch(false)}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        height: 1,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: selected ? 'primary.main' : 'line.main',
        boxShadow: (theme) => (selected ? `0 0 0 1px ${theme.vars?.palette.primary.main ?? ''}` : 'none'),
        borderRadius: 2.5,
        overflow: 'hidden',
      }}
    >
      <Box sx={{ position: 'relative', aspectRatio: '9 / 16' }}>
        <LazyVideo
          src={item.processedCdnUrl}
          poster={item.posterUrl}
          label={item.title}
          image={item.mediaType === 'image'}
          playing={playing}
        />
        <Stack
          direction="row"
          sx={{ position: 'absolute', top: 10, left: 10, right: 52, gap: 1.5, flexWrap: 'wrap', pointerEvents: 'none' }}
        >
          {isPosted(item) ? <StatusPill status="posted" label={TEXT.posted} /> : null}
          {item.aiContent === null ? null : <StatusPill status="completed" label={TEXT.complete} />}
        </Stack>
        <Checkbox
          checked={selected}
          slotProps={{ input: { 'aria-label': SELECTION_TEXT.one(item.title) } }}
          onClick={(event: MouseEvent) => onSelect(item.id, event.shiftKey)}
          sx={{ position: 'absolute', top: 4, right: 4, p: 1, bgcolor: 'background.paper', '&:hover': { bgcolor: 'background.paper' } }}
        />
        {item.durationSeconds === null || item.durationSeconds === undefined ? null : (
          <Box className="tabular" sx={LENGTH}>
            {videoLength(item.durationSeconds)}
          </Box>
        )}
      </Box>
      <Stack sx={{ p: 4, gap: 2.5, flex: 1, overflowWrap: 'anywhere' }}>
        <div>
          <Box component="h2" title={item.title} sx={{ m: 0, fontSize: 14, fontWeight: 590, lineHeight: 1.35 }}>
            {truncate(item.title, titleCharacters)}
          </Box>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{sourceName(item)}</Box>
        </div>
        {item.aiContent === null ? null : (
          <Box title={item.aiContent.caption} sx={{ fontSize: 13, color: 'text.secondary' }}>
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
          <Button size="small" variant="outlined" onClick={() => onOpen('details', item.id)}>
            {TEXT.details}
          </Button>
          {analysed ? (
            <Button size="small" variant="outlined" onClick={() => onOpen('analysis', item.id)}>
              {TEXT.analysis}
            </Button>
          ) : null}
        </Box>
        <ItemButtons item={item} />
      </Stack>
    </Box>
  );
});
