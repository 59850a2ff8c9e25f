import { LIMITS } from '@autoposter/contracts';
import { cutText } from '@autoposter/domain';
import { useEffect, useState } from 'react';
import { useUpdateCaption } from '../data/content/use-content';
import { errorText } from '../data/http/client';
import { useMaxHashtags } from '../data/publishing/use-publishing';
import { PROCESSED_TEXT as TEXT } from '../text/processed.text';
import { ActionButton } from '../ui/actions';
import { MessageBar } from '../ui/feedback';
import { count, hashtag } from '../ui/format';
import { Box, Stack, TextField } from '../ui/mui';
import { notify } from '../ui/notifications';
import { UnsavedText } from './navigation-guard';

interface CaptionEditorProps {
  id: string;
  caption: string;
  hashtags?: readonly string[];
  /** Opens the editor with this text, such as a comment or a variation. Change the key with the text. */
  startWith?: string | null;
  /** Called when the text becomes unsaved or saved. */
  onUnsaved?: (unsaved: boolean) => void;
}

const { maxCharacters } = LIMITS.caption;

const tagsIn = (text: string): string[] =>
  text
    .split(/[\s,#]+/u)
    .filter((tag) => tag !== '')
    .map(hashtag);

export function CaptionEditor({ id, caption, hashtags = [], startWith = null, onUnsaved }: CaptionEditorProps) {
  const maxHashtags = useMaxHashtags();
  const [draft, setDraft] = useState<string | null>(startWith === null ? null : cutText(startWith, maxCharacters));
  const before = hashtags.map(hashtag).join(' ');
  // Null until edited, because the item's hashtags may load while the caption is being edited.
  const [tagDraft, setTagDraft] = useState<string | null>(null);
  const tagText = tagDraft ?? before;
  const tags = tagsIn(tagText);
  const tagsChanged = tags.join(' ') !== before;
  const update = useUpdateCaption();
  /** The caption when the editing began. */
  const [start, setStart] = useState(caption);
  const unsaved = draft !== null && (draft.trim() !== caption.trim() || tagsChanged);
  useEffect(() => onUnsaved?.(unsaved), [onUnsaved, unsaved]);

  const edit = () => {
    setDraft(caption);
    setStart(caption);
    setTagDraft(null);
  };
  if (draft === null) {
    return (
      <Box>
        {caption === '' ? null : (
          <Box dir="auto" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', mb: 2 }}>
            {caption}
          </Box>
        )}
        <ActionButton small label={caption === '' ? TEXT.write : TEXT.edit} onClick={edit} />
      </Box>
    );
  }
  const tooManyTags = tagsChanged && tags.length > maxHashtags;
  const valid = draft.trim() !== '' && draft.trim().length <= maxCharacters && !tooManyTags;
  const save = () =>
    void update
      .mutateAsync({ id, caption: draft, replaces: { caption, hashtags: [...hashtags] }, ...(tagsChanged ? { hashtags: tags } : {}) })
      .then(
        () => {
          notify.success(TEXT.captionSaved);
          setDraft(null);
        },
        (error: unknown) => notify.failure(TEXT.captionFailed(errorText(error))),
      );
  return (
    <Stack sx={{ gap: 2 }}>
      {unsaved && !update.isPending ? <UnsavedText /> : null}
      {caption === start || update.isPending ? null : (
        <Box sx={{ mb: 2 }}>
          <MessageBar tone="orange">
            {TEXT.changedMeanwhile}
            <Box dir="auto" sx={{ whiteSpace: 'pre-wrap' }}>
              {caption}
            </Box>
          </MessageBar>
        </Box>
      )}
      <TextField
        multiline
        minRows={3}
        maxRows={10}
        label="Caption"
        value={draft}
        autoFocus
        error={draft.trim().length > maxCharacters}
        helperText={<span>{`${count(draft.trim().length)} of ${count(maxCharacters)} characters`}</span>}
        slotProps={{ htmlInput: { dir: 'auto' } }}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && valid) save();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setDraft(null);
          }
        }}
      />
      <TextField
        size="small"
        label={TEXT.hashtags}
        value={tagText}
        error={tooManyTags}
        helperText={<span>{TEXT.hashtagCount(tags.length, maxHashtags)}</span>}
        onChange={(event) => setTagDraft(event.target.value)}
      />
      <Stack direction="row" sx={{ gap: 1.5 }}>
        <ActionButton small label={TEXT.save} variant="contained" disabled={!valid} loading={update.isPending} onClick={save} />
        <ActionButton small label={TEXT.cancel} variant="text" onClick={() => setDraft(null)} />
      </Stack>
    </Stack>
  );
}
