import type { ContentDetails, ContentItem, TextAnalysis, VisionAnalysis } from '@autoposter/contracts';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { CaptionEditor } from '../../app/caption-editor';
import { itemPath } from '../../app/paths';
import { PROCESSED_TEXT } from '../../text/processed.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { capitalised, formatDateTime, hashtag, megabytes, sourceName, titleText } from '../../ui/format';
import { Facts } from '../../ui/layout';
import { LazyVideo } from '../../ui/media';
import { Box, LinearProgress, Link, Stack, Typography } from '../../ui/mui';
import { StageBar } from '../../ui/stage-bar';
import { stageProgressOf } from '../../ui/stage-progress';
import { Tag } from '../../ui/status';
import { AskPermission, Comments, ItemDialog, ReviewNote, Section, Variations } from './item-sections';
import { PostChecks } from './post-checks';

const PERCENT = 100;

function Vision({ vision }: { vision: VisionAnalysis }) {
  const confidence = Math.round(vision.confidence * PERCENT);
  return (
    <Stack sx={{ gap: 4, minWidth: 0 }}>
      <Typography variant="h2" component="h3">
        Vision analysis
      </Typography>
      <Section title="Confidence">
        <Box sx={{ mb: 1 }}>{confidence}%</Box>
        <LinearProgress variant="determinate" value={confidence} aria-label="Confidence" />
      </Section>
      <Section title="Visual content">{vision.visualContent}</Section>
      <Section title="Emotional tone">{vision.emotionalTone}</Section>
      <Section title="Content theme">{vision.contentTheme}</Section>
      <Section title="Optimization">{vision.instagramOptimization}</Section>
      <Section title="Caption direction">{vision.captionDirection}</Section>
      <Section title="Raw analysis">
        <Box sx={{ whiteSpace: 'pre-wrap', color: 'text.secondary' }}>{vision.rawAnalysis}</Box>
      </Section>
    </Stack>
  );
}

function Text({ text }: { text: TextAnalysis }) {
  return (
    <Stack sx={{ gap: 4, minWidth: 0 }}>
      <Typography variant="h2" component="h3">
        Text analysis
      </Typography>
      <Facts
        facts={[
          ['Word count', text.wordCount],
          ['Character count', text.characterCount],
          ['Sentiment', text.sentiment],
          ['Has call to action', text.hasCallToAction ? 'Yes' : 'No'],
        ]}
      />
      <Section title="Main caption">
        <Box sx={{ whiteSpace: 'pre-wrap' }}>{text.mainCaption}</Box>
      </Section>
      <Section title="Hashtag categories">
        <Stack sx={{ gap: 2 }}>
          {Object.entries(text.hashtagCategories).map(([name, tags]) => (
            <Stack key={name} direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
              <Box sx={{ minWidth: 72, color: 'text.secondary' }}>{name}</Box>
              {tags.map((tag) => (
                <Tag key={tag}>{hashtag(tag)}</Tag>
              ))}
            </Stack>
          ))}
        </Stack>
      </Section>
    </Stack>
  );
}

interface AnalysisDialogProps {
  item: ContentItem | null;
  reading: boolean;
  error: Error | null;
  onClose: () => void;
}

export function AnalysisDialog({ item, reading, error, onClose }: AnalysisDialogProps) {
  const detail = item?.aiContent?.detailedAnalysis ?? null;
  const title = (
    <>
      {PROCESSED_TEXT.analysis}
      <Typography variant="body2" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
        {item === null ? null : titleText(item.title)}
      </Typography>
    </>
  );
  return (
    <ItemDialog title={title} reading={reading} error={error} onClose={onClose}>
      {reading || error !== null ? null : (
        <Box sx={{ display: 'grid', gap: 7, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
          {detail?.gemini ? <Vision vision={detail.gemini} /> : <Box sx={{ color: 'text.secondary' }}>No vision analysis was made.</Box>}
          {detail?.groq ? <Text text={detail.groq} /> : <Box sx={{ color: 'text.secondary' }}>No text analysis was made.</Box>}
        </Box>
      )}
    </ItemDialog>
  );
}

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
  /** The card of the list until the details are loaded. */
  item: (ContentItem & Pick<Partial<ContentDetails>, 'postChecks'>) | null;
  reading: boolean;
  error: Error | null;
  onClose: () => void;
}

export function DetailsDialog({ item, reading, error, onClose }: DetailsDialogProps) {
  return (
    <ItemDialog title={item === null ? PROCESSED_TEXT.details : titleText(item.title)} reading={reading} error={error} onClose={onClose}>
      {item === null ? null : <Details item={item} />}
    </ItemDialog>
  );
}

function Details({ item }: { item: NonNullable<DetailsDialogProps['item']> }) {
  const [edit, setEdit] = useState<{ text: string; count: number } | null>(null);
  const ai = item.aiContent;
  const startEdit = (text: string) => setEdit((before) => ({ text, count: (before?.count ?? 0) + 1 }));
  const comments = item.commentsData?.topComments ?? [];
  return (
    <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '260px minmax(0, 1fr)' } }}>
      <Stack sx={{ gap: 4 }}>
        <Box sx={{ aspectRatio: '9 / 16', borderRadius: 2, overflow: 'hidden', maxHeight: { xs: 420, sm: 'none' }, width: 1 }}>
          <LazyVideo
            src={item.processedCdnUrl}
            poster={item.posterUrl}
            label={titleText(item.title)}
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
          {item.needsPermission === true ? null : <AskPermission item={item} />}
        </Section>
        <ReviewNote item={item} />
        {ai === null ? null : (
          <Section title="AI caption">
            <CaptionEditor key={edit?.count ?? 0} id={item.id} caption={ai.caption} hashtags={ai.hashtags} startWith={edit?.text ?? null} />
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
        {item.postChecks === undefined || item.postChecks.length === 0 ? null : <PostChecks checks={item.postChecks} />}
        <Section title="Addresses">
          <Facts facts={addressesOf(item)} />
        </Section>
      </Stack>
    </Box>
  );
}
