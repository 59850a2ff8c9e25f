import { mdiClose } from '@mdi/js';
import type { ContentItem, TextAnalysis, VisionAnalysis } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { PROCESSED_TEXT } from '../../../text/processed.text';
import { hashtag } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { Tag } from '../../../ui/tag';
import { Facts, Section } from './section';

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
          ['Call to action', text.hasCallToAction ? 'Yes' : 'No'],
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

/** What the models found out about picture and text. */
export function AnalysisDialog({ item, onClose }: { item: ContentItem; onClose: () => void }) {
  const id = useId();
  const detail = item.aiContent?.detailedAnalysis ?? null;
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 18, fontWeight: 620, pr: 14 }}>
        {PROCESSED_TEXT.analysis}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {item.title}
        </Typography>
      </DialogTitle>
      <IconButton aria-label="Close" onClick={onClose} sx={{ position: 'absolute', top: 12, right: 12 }}>
        <Icon path={mdiClose} />
      </IconButton>
      <DialogContent tabIndex={0}>
        <Box sx={{ display: 'grid', gap: 7, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
          {detail?.gemini ? <Vision vision={detail.gemini} /> : <Box sx={{ color: 'text.secondary' }}>No vision analysis was made.</Box>}
          {detail?.groq ? <Text text={detail.groq} /> : <Box sx={{ color: 'text.secondary' }}>No text analysis was made.</Box>}
        </Box>
      </DialogContent>
    </Dialog>
  );
}
