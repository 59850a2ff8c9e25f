import { type Capabilities, LIMITS, type PublishOptions, type QueueItem, type UserTag } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSetCover, useSetOptions } from '../../data/instagram-queue/use-change-queue';
import { useCapabilities } from '../../data/publishing/use-publishing';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { DialogFrame } from '../../ui/dialogs';
import { LoadState } from '../../ui/feedback';
import { CheckboxField } from '../../ui/fields';
import { Box, FormHelperText, Stack, TextField } from '../../ui/mui';
import { titleOf } from './use-queue-actions';
import { FileButton } from '../../ui/file-button';

const TEXT = QUEUE_TEXT.options;
const { altTextCharacters, firstCommentCharacters } = LIMITS.publishOptions;

/** The form's values as they are typed. */
interface Draft {
  story: boolean;
  shareToFeed: boolean;
  locationId: string;
  collaborators: string;
  userTags: string;
  altText: string;
  altTexts: string;
  firstComment: string;
  thumbOffsetMs: string;
  audioId: string;
  audioVolume: string;
  videoVolume: string;
}

const draftOf = (options: PublishOptions): Draft => ({
  story: options.story ?? false,
  shareToFeed: options.shareToFeed ?? true,
  locationId: options.locationId ?? '',
  collaborators: (options.collaborators ?? []).join(', '),
  userTags: (options.userTags ?? []).map(tagText).join(', '),
  altText: options.altText ?? '',
  altTexts: (options.altTexts ?? []).join('\n'),
  firstComment: options.firstComment ?? '',
  thumbOffsetMs: options.thumbOffsetMs === undefined ? '' : String(options.thumbOffsetMs / 1000),
  audioId: options.audioId ?? '',
  audioVolume: String(options.audioVolume ?? 100),
  videoVolume: String(options.videoVolume ?? 0),
});

const namesIn = (text: string): string[] =>
  text
    .split(/[\s,]+/u)
    .map((name) => name.replace('@', ''))
    .filter((name) => name !== '');

/** `name` or `name:20:80`: percent from the left and the top. */
const tagText = (tag: UserTag): string =>
  typeof tag === 'string' ? tag : [tag.username, ...[tag.x, tag.y].map((share) => Math.round(share * 100))].join(':');

const tagOf = (text: string): UserTag => {
  const [username = '', x, y] = text.split(':');
  return x === undefined ? username : { username, x: Number(x) / 100, y: Number(y) / 100 };
};

/** Only what differs from Instagram's own defaults is sent. */
function optionsOf(draft: Draft): PublishOptions {
  const [collaborators, userTags] = [namesIn(draft.collaborators), namesIn(draft.userTags).map(tagOf)];
  const altTexts = draft.altTexts.trimEnd();
  const [locationId, altText] = [draft.locationId.trim(), draft.altText.trim()];
  const [firstComment, audioId] = [draft.firstComment.trim(), draft.audioId.trim()];
  const audio = { audioId, audioVolume: Number(draft.audioVolume), videoVolume: Number(draft.videoVolume) };
  return {
    ...(draft.story ? { story: true } : {}),
    ...(draft.shareToFeed ? {} : { shareToFeed: false }),
    ...(locationId === '' ? {} : { locationId }),
    ...(collaborators.length === 0 ? {} : { collaborators }),
    ...(userTags.length === 0 ? {} : { userTags }),
    ...(altText === '' ? {} : { altText }),
    ...(altTexts === '' ? {} : { altTexts: altTexts.split('\n').map((line) => line.trim()) }),
    ...(firstComment === '' ? {} : { firstComment }),
    ...(draft.thumbOffsetMs.trim() === '' ? {} : { thumbOffsetMs: Math.round(Number(draft.thumbOffsetMs) * 1000) }),
    ...(audioId === '' ? {} : audio),
  };
}

type OptionName = keyof PublishOptions | 'uploadedCover';

/** The fields of the form in order, with what to type. */
const TEXT_FIELDS: readonly {
  name: Exclude<keyof PublishOptions & keyof Draft, 'story' | 'shareToFeed'>;
  hint?: string;
  maxLength?: number;
}[] = [
  { name: 'collaborators', hint: TEXT.names },
  { name: 'userTags', hint: TEXT.tags },
  { name: 'locationId', hint: TEXT.location },
  { name: 'altText', maxLength: altTextCharacters },
  { name: 'altTexts', hint: TEXT.altTexts },
  { name: 'firstComment', maxLength: firstCommentCharacters },
  { name: 'thumbOffsetMs', hint: TEXT.thumbSeconds },
  { name: 'audioId', hint: TEXT.audioId },
];

function OptionsForm({ item, offered, onClose }: { item: QueueItem; offered: Capabilities; onClose: () => void }) {
  const change = useSetOptions();
  const [draft, setDraft] = useState(() => draftOf(item.options ?? {}));
  const set = (values: Partial<Draft>) => setDraft({ ...draft, ...values });
  const isStory = draft.story && item.kind !== 'carousel';
  const kind = isStory ? 'story' : item.kind === 'story' ? (item.postData.mediaType === 'video' ? 'reel' : 'image') : (item.kind ?? 'reel');
  const find = (name: OptionName) => offered.capabilities.find((entry) => entry.name === name);
  const labelOf = (name: OptionName) => find(name)?.label ?? name;
  const whyNot = (name: OptionName): string | null => {
    const entry = find(name);
    if (entry === undefined) return null;
    const isFit = name === 'story' ? kind !== 'carousel' : entry.kinds.includes(kind);
    return isFit ? (offered.login === null ? null : entry[offered.login].reason) : TEXT.unfit[kind];
  };
  // an option that is not offered any more is removed instead of refused
  const offeredOf = (options: PublishOptions): PublishOptions =>
    Object.fromEntries(
      Object.entries(options).filter(([name]) => whyNot(name.endsWith('Volume') ? 'audioId' : (name as OptionName)) === null),
    );
  const save = () =>
    void notifyResult(change.mutateAsync({ id: item._id, options: offeredOf(optionsOf(draft)) }), TEXT.saved, QUEUE_TEXT.error).then(
      (done) => done && onClose(),
    );
  return (
    <DialogFrame
      title={TEXT.title}
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <ActionButton label={TEXT.cancel} onClick={onClose} />
          <ActionButton label={TEXT.save} type="submit" variant="contained" loading={change.isPending} />
        </>
      }
    >
      <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{titleOf(item)}</Box>
      <Box>
        <CheckboxField
          label={labelOf('story')}
          checked={isStory}
          disabled={whyNot('story') !== null}
          describedBy="why-story"
          onChange={(story) => set({ story })}
        />
        <FormHelperText id="why-story">{whyNot('story') ?? TEXT.story}</FormHelperText>
      </Box>
      <Box>
        <CheckboxField
          label={labelOf('shareToFeed')}
          checked={draft.shareToFeed}
          disabled={whyNot('shareToFeed') !== null}
          describedBy="why-share-to-feed"
          onChange={(shareToFeed) => set({ shareToFeed })}
        />
        <FormHelperText id="why-share-to-feed">{whyNot('shareToFeed')}</FormHelperText>
      </Box>
      {TEXT_FIELDS.map(({ name, hint, maxLength }) => (
        <TextField
          key={name}
          label={labelOf(name)}
          value={draft[name]}
          multiline={name === 'altTexts'}
          disabled={whyNot(name) !== null}
          helperText={whyNot(name) ?? hint}
          onChange={(event) => set({ [name]: event.target.value })}
          slotProps={{
            htmlInput: { maxLength },
            // the reason stays readable while the field is off
            formHelperText: { sx: { '&.Mui-disabled': { color: 'text.secondary' } } },
          }}
        />
      ))}
      {kind === 'reel' || item.coverUrl ? (
        <CoverField item={item} label={labelOf('uploadedCover')} whyNot={whyNot('uploadedCover')} />
      ) : null}
      {draft.audioId === ''
        ? null
        : (['audioVolume', 'videoVolume'] as const).map((name) => (
            <TextField
              key={name}
              type="number"
              label={TEXT[name]}
              value={draft[name]}
              onChange={(event) => set({ [name]: event.target.value })}
              slotProps={{ htmlInput: { min: 0, max: 100 } }}
            />
          ))}
    </DialogFrame>
  );
}

/** What a waiting post has beside its caption; what Instagram does not offer is disabled with the reason. */
export function PublishOptionsDialog({ item, onClose }: { item: QueueItem; onClose: () => void }) {
  const query = useCapabilities(item.accountId);
  if (query.data !== undefined) return <OptionsForm item={item} offered={query.data} onClose={onClose} />;
  return (
    <DialogFrame title={TEXT.title} onClose={onClose} actions={<ActionButton label={TEXT.cancel} onClick={onClose} />}>
      <LoadState query={query} loading={{ rows: 4, height: 40, label: TEXT.loading }} error={String} />
    </DialogFrame>
  );
}

const COVER_TEXT = QUEUE_TEXT.options.cover;
/** Half of the width that Instagram shows in a profile. */
const PREVIEW = { width: 90, height: 160, objectFit: 'contain' } as const;

/** The uploaded cover of a reel, stored as soon as it is chosen. `whyNot`: why the post cannot have one. */
function CoverField({ item, label, whyNot }: { item: QueueItem; label: string; whyNot: string | null }) {
  const change = useSetCover();
  const [url, setUrl] = useState(item.coverUrl ?? null);
  const send = (file: Blob | null) =>
    void notifyResult(
      change.mutateAsync({ id: item._id, file }).then(({ data }) => setUrl(data.coverUrl ?? null)),
      file === null ? COVER_TEXT.removed : COVER_TEXT.saved,
      QUEUE_TEXT.error,
    );
  return (
    <Box role="group" aria-label={label} sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <span>{label}</span>
      {url === null ? null : <Box component="img" src={url} alt={COVER_TEXT.preview} sx={PREVIEW} />}
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        {whyNot === null ? <FileButton small label={COVER_TEXT.choose} purpose="cover" loading={change.isPending} onChosen={send} /> : null}
        {url === null ? null : <ActionButton small label={COVER_TEXT.remove} disabled={change.isPending} onClick={() => send(null)} />}
      </Stack>
      <FormHelperText>{whyNot ?? COVER_TEXT.hint}</FormHelperText>
    </Box>
  );
}
