import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { PROCESSED_TEXT as TEXT } from '../text/processed.text';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useUpdateCaption } from '../data/content/use-content';
import { useMaxHashtags } from '../data/publishing/use-publishing';
import { errorText } from '../data/http/client';
import { hashtag } from '../ui/format';
import { notify } from '../ui/notifications';

/** There while something is typed and not saved: asks before another screen, post or dialog takes its place, or the page goes. */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => from.pathname !== to.pathname || from.search !== to.search);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, []);
  const asked = blocker.state === 'blocked' ? { question: TEXT.leaveQuestion, confirm: TEXT.leave, danger: true } : null;
  return <ConfirmDialog ask={asked} onAnswer={(yes) => (yes ? blocker.proceed?.() : blocker.reset?.())} />;
}

interface CaptionEditorProps {
  id: string;
  caption: string;
  hashtags?: readonly string[];
  /** A text taken over from elsewhere (a comment, a variation) that editing starts with; give a new key with each. */
  startWith?: string | null;
  /** Told when something is typed that is not saved, and when that ends. */
  onUnsaved?: (unsaved: boolean) => void;
}

const { maxCharacters: most } = LIMITS.caption;

const tagsIn = (text: string): string[] =>
  text
    .split(/[\s,#]+/u)
    .filter((tag) => tag !== '')
    .map(hashtag);

/** The caption: read, edit, save or cancel. */
export function CaptionEditor({ id, caption, hashtags = [], startWith = null, onUnsaved }: CaptionEditorProps) {
  const maxHashtags = useMaxHashtags();
  const [draft, setDraft] = useState<string | null>(startWith === null ? null : startWith.slice(0, most));
  const before = hashtags.map(hashtag).join(' ');
  // until something is typed these are the post's own hashtags, which may arrive while the caption is edited
  const [tagDraft, setTagDraft] = useState<string | null>(null);
  const tagText = tagDraft ?? before;
  const tags = tagsIn(tagText);
  const tagsChanged = tags.join(' ') !== before;
  const update = useUpdateCaption();
  const unsaved = draft !== null && (draft.trim() !== caption.trim() || tagsChanged);
  useEffect(() => onUnsaved?.(unsaved), [onUnsaved, unsaved]);

  const edit = () => {
    setDraft(caption);
    setTagDraft(null);
  };
  if (draft === null) {
    return (
      <Box>
        {caption === '' ? null : <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', mb: 2 }}>{caption}</Box>}
        <Button size="small" variant="outlined" onClick={edit}>
          {caption === '' ? TEXT.write : TEXT.edit}
        </Button>
      </Box>
    );
  }
  const tooManyTags = tagsChanged && tags.length > maxHashtags;
  const acceptable = draft.trim() !== '' && draft.trim().length <= most && !tooManyTags;
  const save = () =>
    void update.mutateAsync({ id, caption: draft, first: caption === '', ...(tagsChanged ? { hashtags: tags } : {}) }).then(
      () => {
        notify.success(TEXT.captionSaved);
        setDraft(null);
      },
      (error: unknown) => notify.failure(TEXT.captionFailed(errorText(error))),
    );
  return (
    <Stack sx={{ gap: 2 }}>
      {unsaved && !update.isPending ? <LeaveGuard /> : null}
      <TextField
        multiline
        minRows={3}
        maxRows={10}
        label="Caption"
        value={draft}
        autoFocus
        error={draft.trim().length > most}
        helperText={<span className="tabular">{`${draft.trim().length} of ${most} characters`}</span>}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && acceptable) save();
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
        helperText={<span className="tabular">{TEXT.hashtagCount(tags.length, maxHashtags)}</span>}
        onChange={(event) => setTagDraft(event.target.value)}
      />
      <Stack direction="row" sx={{ gap: 1.5 }}>
        <Button size="small" variant="contained" disabled={!acceptable} loading={update.isPending} onClick={save}>
          {TEXT.save}
        </Button>
        <Button size="small" variant="text" onClick={() => setDraft(null)}>
          {TEXT.cancel}
        </Button>
      </Stack>
    </Stack>
  );
}
