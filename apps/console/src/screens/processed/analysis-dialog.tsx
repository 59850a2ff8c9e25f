import type { ContentItem, TextAnalysis, VisionAnalysis } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { PROCESSED_TEXT } from '../../text/processed.text';
import { hashtag } from '../../ui/format';
import { Tag } from '../../ui/tag';
import { Facts, ItemDialog, Section } from './item-sections';

const PERCENT = 100;

function Vision({ vision }: { vision: VisionAnalysis }) {
  const confidence = Math.round(vision.confidence * PERCENT);
  return (
    <Stack sx={{ gap: 4, minWidth: 0 }}>
      <Typography variant="h2" component="h3">
        Vision analysis
      </Typography>
      <Section title="Confidence">
        <Box className="tabular" sx={{ mb: 1 }}>
          {confidence}%
        </Box>
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
        {item?.title}
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
