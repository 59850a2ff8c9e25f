import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { CaptionEditor } from '../../app/caption-editor';
import { itemPath } from '../../app/paths';
import { PROCESSED_TEXT } from '../../text/processed.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { capitalised, formatDateTime, hashtag, megabytes, sourceName } from '../../ui/format';
import { LazyVideo } from '../../ui/lazy-video';
import { StageBar } from '../../ui/stage-bar';
import { stageProgressOf } from '../../ui/stage-progress';
import { Tag } from '../../ui/tag';
import { Comments, Facts, ItemDialog, ReviewNote, Section, Variations } from './item-sections';

const Outside = ({ href }: { href: string }) => (
  <Link href={href} target="_blank" rel="noreferrer" sx={STANDALONE_LINK}>
    {href}
  </Link>
);

const captionedAt = (item: ContentItem) => item.aiContent?.processedAt ?? null;

const factsOf = (item: ContentItem) =>
  [
    ['Source', sourceName(item)],
    ['Platform', capitalised(item.platform)],
    ['Author', item.author ?? 'unknown'],
    ['Media type', item.mediaType],
    ['File', `${item.filename}, ${megabytes(item.fileSize)}`],
    ...(captionedAt(item) === null ? [] : [['Captioned', formatDateTime(captionedAt(item) ?? '')] as const]),
  ] as const;

const addressesOf = (item: ContentItem) =>
  [
    ['Original URL', <Outside key="o" href={item.originalUrl ?? item.url} />],
    ...(item.cdnUrl === null ? [] : [['CDN URL', <Outside key="c" href={item.cdnUrl} />] as const]),
  ] as const;

function PostInfo({ post }: { post: NonNullable<ContentItem['instagramPost']> }) {
  return (
    <Section title="Instagram post">
      <Facts
        facts={[
          ['Posted', formatDateTime(post.postedAt)],
          ['Media id', post.instagramMediaId],
          ['Media type', post.mediaType],
          ['Caption used', post.caption],
          ...(post.permalink === null || post.permalink === undefined
            ? []
            : [['Link', <Outside key="l" href={post.permalink} />] as const]),
        ]}
      />
    </Section>
  );
}

interface DetailsDialogProps {
  item: ContentItem | null;
  reading: boolean;
  error: Error | null;
  onClose: () => void;
}

export function DetailsDialog({ item, reading, error, onClose }: DetailsDialogProps) {
  return (
    <ItemDialog title={item?.title ?? PROCESSED_TEXT.details} reading={reading} error={error} onClose={onClose}>
      {item === null ? null : <Details item={item} />}
    </ItemDialog>
  );
}

function Details({ item }: { item: ContentItem }) {
  const [edit, setEdit] = useState<{ text: string; turn: number } | null>(null);
  const ai = item.aiContent;
  const startEdit = (text: string) => setEdit((before) => ({ text, turn: (before?.turn ?? 0) + 1 }));
  const comments = item.commentsData?.topComments ?? [];
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '260px minmax(0, 1fr)' } }}>
      <Stack sx={{ gap: 4 }}>
        <Box sx={{ aspectRatio: '9 / 16', borderRadius: 2, overflow: 'hidden', maxHeight: { xs: 420, sm: 'none' }, width: 1 }}>
          <LazyVideo
            src={item.processedCdnUrl}
            poster={item.posterUrl}
            label={item.title}
            image={item.mediaType === 'image'}
            controls="all"
            muted={false}
            fit="contain"
          />
        </Box>
        <StageBar rail={stageProgressOf(item)} />
        <Link component={RouterLink} to={itemPath(item.id)} variant="body2" sx={STANDALONE_LINK}>
          {PROCESSED_TEXT.timeline}
        </Link>
      </Stack>
      <Stack sx={{ gap: 5, minWidth: 0 }}>
        <Section title="Details">
          <Facts facts={factsOf(item)} />
        </Section>
        <ReviewNote item={item} />
        {ai === null ? null : (
          <Section title="AI caption">
            <CaptionEditor key={edit?.turn ?? 0} id={item.id} caption={ai.caption} hashtags={ai.hashtags} startWith={edit?.text ?? null} />
          </Section>
        )}
        {ai === null || ai.captionVariations.length === 0 ? null : (
          <Section title="Caption variations">
            <Variations variations={ai.captionVariations} onUse={startEdit} />
          </Section>
        )}
        {ai === null || ai.hashtags.length === 0 ? null : (
          <Section title="Hashtags">
            <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
              {ai.hashtags.map((tag) => (
                <Tag key={tag}>{hashtag(tag)}</Tag>
              ))}
            </Stack>
          </Section>
        )}
        {ai?.analysis === null || ai === null ? null : <Section title="Analysis">{ai.analysis}</Section>}
        {comments.length === 0 ? null : (
          <Section title="Top comments">
            <Comments comments={comments} onUse={startEdit} />
          </Section>
        )}
        {item.instagramPost === null ? null : <PostInfo post={item.instagramPost} />}
        <Section title="Addresses">
          <Facts facts={addressesOf(item)} />
        </Section>
      </Stack>
    </Box>
  );
}
