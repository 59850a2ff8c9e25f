import { type ContentItem, LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { CaptionEditor } from '../../app/caption-editor';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { hashtag, sourceName } from '../../ui/format';
import { StatusPill } from '../../ui/status-pill';
import { Tag } from '../../ui/tag';
import { isPosted, ItemButtons } from './item-actions';
import { Comments, ReviewNote, Section, Variations } from './item-sections';

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
        <Button size="small" variant="text" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : TEXT.more(hidden)}
        </Button>
      ) : null}
    </Stack>
  );
}

/** Text and actions of the current post. `edits` counts requests to edit the caption. */
export function ReelText({ item, edits, onDetails }: { item: ContentItem; edits: number; onDetails: () => void }) {
  const [before] = useState(edits);
  const [edit, setEdit] = useState<{ text: string; turn: number } | null>(null);
  const startEdit = (text: string) => setEdit((last) => ({ text, turn: (last?.turn ?? 0) + 1 }));
  const ai = item.aiContent;
  const comments = item.commentsData?.topComments ?? [];
  return (
    <Stack sx={{ gap: 5, p: 6, overflowY: { md: 'auto' }, borderLeft: { md: 1 }, borderColor: { md: 'line.main' } }}>
      <Box>
        <Typography component="h2" sx={{ fontSize: 20, fontWeight: 640, letterSpacing: '-0.015em', overflowWrap: 'anywhere' }}>
          {item.title}
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
              key={`${edit?.turn ?? 0} ${edits - before}`}
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
      <Button variant="outlined" onClick={onDetails} sx={{ alignSelf: 'flex-start' }}>
        {TEXT.details}
      </Button>
    </Stack>
  );
}
