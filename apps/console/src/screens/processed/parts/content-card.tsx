import { LIMITS, type ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { cut, hashtag, sourceName } from '../../../ui/format';
import { LazyVideo } from '../../../ui/lazy-video';
import { StatusPill } from '../../../ui/status-pill';
import { Tag } from '../../../ui/tag';
import { isPosted } from '../item-facts';
import { ItemActions } from './item-actions';
import { ReviewNote } from './review-note';

const { titleCharacters, captionPreviewCharacters, cardHashtags } = LIMITS.console;

interface ContentCardProps {
  item: ContentItem;
  configured: boolean | undefined;
  onDetails: () => void;
  onAnalysis: () => void;
}

/** One captioned post on the wall. */
export function ContentCard({ item, configured, onDetails, onAnalysis }: ContentCardProps) {
  const hashtags = item.aiContent?.hashtags ?? [];
  const more = hashtags.length - cardHashtags;
  const hasAnalysis = item.mediaType === 'video' && item.aiContent?.detailedAnalysis !== null && item.aiContent !== null;
  return (
    <Box
      component="article"
      aria-label={item.title}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        height: 1,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'line.main',
        borderRadius: 2.5,
        overflow: 'hidden',
      }}
    >
      <Box sx={{ position: 'relative', aspectRatio: '4 / 5' }}>
        <LazyVideo src={item.processedCdnUrl} poster={item.posterUrl} label={item.title} image={item.mediaType === 'image'} />
        <Stack direction="row" sx={{ position: 'absolute', top: 10, left: 10, gap: 1.5, flexWrap: 'wrap', pointerEvents: 'none' }}>
          {isPosted(item) ? <StatusPill status="posted" label={TEXT.posted} /> : null}
          {item.aiContent === null ? null : <StatusPill status="completed" label={TEXT.complete} />}
        </Stack>
      </Box>
      <Stack sx={{ p: 4, gap: 2.5, flex: 1 }}>
        <Box>
          <Typography component="h2" sx={{ fontWeight: 590, lineHeight: 1.35, overflowWrap: 'anywhere' }} title={item.title}>
            {cut(item.title, titleCharacters)}
          </Typography>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {sourceName(item)}
          </Typography>
        </Box>
        {item.aiContent === null ? null : (
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }} title={item.aiContent.caption}>
            {cut(item.aiContent.caption, captionPreviewCharacters)}
          </Typography>
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
        <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: hasAnalysis ? 'repeat(2, minmax(0, 1fr))' : '1fr' }}>
          <Button size="small" variant="outlined" onClick={onDetails}>
            {TEXT.details}
          </Button>
          {hasAnalysis ? (
            <Button size="small" variant="outlined" onClick={onAnalysis}>
              {TEXT.analysis}
            </Button>
          ) : null}
        </Box>
        <ItemActions item={item} configured={configured} />
      </Stack>
    </Box>
  );
}
