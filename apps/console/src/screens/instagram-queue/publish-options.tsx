import {
  type Capabilities,
  LIMITS,
  type ProductTag,
  type PublishOptions,
  type QueueItem,
  TRIAL_REELS,
  type TrialReel,
  type UserTag,
} from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSetCover, useSetOptions } from '../../data/instagram-queue/use-change-queue';
import { useCapabilities } from '../../data/publishing/use-publishing';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { DialogFrame } from '../../ui/dialogs';
import { LoadState, MessageBar } from '../../ui/feedback';
import { CheckboxField, SelectField } from '../../ui/fields';
import { Box, FormHelperText, Stack, TextField } from '../../ui/mui';
import { titleOf } from './use-queue-actions';
import { FileButton } from '../../ui/file-button';

const TEXT = QUEUE_TEXT.options;
const { altTextCharacters, firstCommentCharacters, audioNameCharacters } = LIMITS.publishOptions;

const namesIn = (text: string): string[] =>
  text
    .split(/[\s,]+/u)
    .map((name) => name.replace('@', ''))
    .filter((name) => name !== '');

/** `name` or `name:20:80`: percent from the left and the top. */
const placedText = (name: string, place?: { x: number; y: number }): string =>
  [name, ...(place === undefined ? [] : [place.x, place.y].map((share) => Math.round(share * 100)))].join(':');

const placedIn = (text: string): { name: string; place: { x: number; y: number } | undefined }[] =>
  namesIn(text).map((part) => {
    const [name = '', x, y] = part.split(':');
    return { name, place: x === undefined ? undefined : { x: Number(x) / 100, y: Number(y) / 100 } };
  });

/** How an option is typed. Empty text leaves the option out. */
interface TextForm<T> {
  toText: (value: T) => string;
  fromText: (text: string) => T;
}

const PLAIN: TextForm<string> = { toText: String, fromText: String };
const NAMES: TextForm<string[]> = { toText: (names) => names.join(', '), fromText: namesIn };
const NUMBER: TextForm<number> = { toText: String, fromText: Number };
const SECONDS: TextForm<number> = { toText: (ms) => String(ms / 1000), fromText: (text) => Math.round(Number(text) * 1000) };
const LINES: TextForm<string[]> = {
  toText: (lines) => lines.join('\n'),
  fromText: (text) => text.split('\n').map((line) => line.trim()),
};
const USER_TAGS: TextForm<UserTag[]> = {
  toText: (tags) => tags.map((tag) => (typeof tag === 'string' ? tag : placedText(tag.username, tag))).join(', '),
  fromText: (text) => placedIn(text).map(({ name, place }) => (place === undefined ? name : { username: name, ...place })),
};
const MIDDLE = { x: 0.5, y: 0.5 };
const PRODUCT_TAGS: TextForm<ProductTag[]> = {
  toText: (tags) => tags.map((tag) => placedText(tag.productId, tag)).join(', '),
  fromText: (text) => placedIn(text).map(({ name, place = MIDDLE }) => ({ productId: name, ...place })),
};

type OptionName = keyof PublishOptions;

interface TextOption {
  name: OptionName;
  read: (options: PublishOptions) => string;
  write: (text: string) => PublishOptions;
  hint?: string;
  maxLength?: number;
  multiline?: boolean;
}

function textOption<K extends OptionName>(
  name: K,
  form: TextForm<NonNullable<PublishOptions[K]>>,
  more: Pick<TextOption, 'hint' | 'maxLength' | 'multiline'> = {},
): TextOption {
  return {
    name,
    read: ({ [name]: value }) => (value === undefined ? '' : form.toText(value)),
    // the start of a text counts where its lines belong to files
    write: (text) => (text.trim() === '' ? {} : { [name]: form.fromText(more.multiline ? text.trimEnd() : text.trim()) }),
    ...more,
  };
}

/** The fields of the form in order, with what to type. */
const TEXT_FIELDS: readonly TextOption[] = [
  textOption('collaborators', NAMES, { hint: TEXT.names }),
  textOption('userTags', USER_TAGS, { hint: TEXT.tags }),
  textOption('locationId', PLAIN, { hint: TEXT.location }),
  textOption('altText', PLAIN, { maxLength: altTextCharacters }),
  textOption('altTexts', LINES, { hint: TEXT.altTexts, multiline: true }),
  textOption('firstComment', PLAIN, { maxLength: firstCommentCharacters }),
  textOption('thumbOffsetMs', SECONDS, { hint: TEXT.thumbSeconds }),
  textOption('audioName', PLAIN, { hint: TEXT.audioName, maxLength: audioNameCharacters }),
  textOption('productTags', PRODUCT_TAGS, { hint: TEXT.productTags }),
  textOption('audioId', PLAIN, { hint: TEXT.audioId }),
];
const SPONSORS = textOption('sponsorIds', NAMES, { hint: TEXT.sponsors });
const VOLUMES = [textOption('audioVolume', NUMBER), textOption('videoVolume', NUMBER)];

/** Options that are on or off; only what differs from Instagram's own default is sent. */
const SWITCHES: readonly { name: 'story' | 'shareToFeed' | 'paidPartnership' | 'aiGenerated'; byDefault: boolean; hint?: string }[] = [
  { name: 'story', byDefault: false, hint: TEXT.story },
  { name: 'shareToFeed', byDefault: true },
  { name: 'aiGenerated', byDefault: false, hint: TEXT.aiGenerated },
  // followed by its sponsors
  { name: 'paidPartnership', byDefault: false },
];

/** The form's values as they are typed. */
interface Draft {
  texts: Partial<Record<OptionName, string>>;
  switches: Partial<Record<OptionName, boolean>>;
  trialReel: TrialReel | '';
}

const draftOf = (options: PublishOptions): Draft => ({
  texts: {
    ...Object.fromEntries([...TEXT_FIELDS, SPONSORS].map(({ name, read }) => [name, read(options)])),
    audioVolume: String(options.audioVolume ?? 100),
    videoVolume: String(options.videoVolume ?? 0),
  },
  switches: Object.fromEntries(SWITCHES.map(({ name, byDefault }) => [name, options[name] ?? byDefault])),
  trialReel: options.trialReel ?? '',
});

function optionsOf({ texts, switches, trialReel }: Draft): PublishOptions {
  const fields = [...TEXT_FIELDS, ...(switches.paidPartnership ? [SPONSORS] : []), ...((texts.audioId ?? '').trim() === '' ? [] : VOLUMES)];
  const changed = SWITCHES.filter(({ name, byDefault }) => switches[name] !== byDefault);
  return Object.assign(
    {},
    ...changed.map(({ name, byDefault }) => ({ [name]: !byDefault })),
    ...fields.map(({ name, write }) => write(texts[name] ?? '')),
    trialReel === '' ? {} : { trialReel },
  ) as PublishOptions;
}

type CapabilityName = OptionName | 'uploadedCover';

function OptionsForm({ item, offered, onClose }: { item: QueueItem; offered: Capabilities; onClose: () => void }) {
  const change = useSetOptions();
  const { options: stored = {} } = item;
  /** The stored options when the editing began. */
  const [start, setStart] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const isChanged = !change.isPending && JSON.stringify(stored) !== JSON.stringify(start);
  const load = () => {
    setStart(stored);
    setDraft(draftOf(stored));
  };
  const setText = (name: OptionName, text: string) => setDraft({ ...draft, texts: { ...draft.texts, [name]: text } });
  const setSwitch = (name: OptionName, on: boolean) => setDraft({ ...draft, switches: { ...draft.switches, [name]: on } });
  const isStory = draft.switches.story === true && item.kind !== 'carousel';
  const kind = isStory ? 'story' : item.kind === 'story' ? (item.postData.mediaType === 'video' ? 'reel' : 'image') : (item.kind ?? 'reel');
  const find = (name: CapabilityName) => offered.capabilities.find((entry) => entry.name === name);
  const labelOf = (name: CapabilityName) => find(name)?.label ?? name;
  const whyNot = (name: CapabilityName): string | null => {
    const entry = find(name);
    if (entry === undefined) return null;
    const isFit = name === 'story' ? kind !== 'carousel' : entry.kinds.includes(kind);
    return isFit ? (offered.login === null ? null : entry[offered.login].reason) : TEXT.unfit[kind];
  };
  // an option that is not offered any more is removed instead of refused
  const offeredOf = (options: PublishOptions): PublishOptions =>
    Object.fromEntries(
      Object.entries(options).filter(([name]) => whyNot(name.endsWith('Volume') ? 'audioId' : (name as CapabilityName)) === null),
    );
  const save = () =>
    void notifyResult(
      change.mutateAsync({ id: item._id, ...offeredOf(optionsOf(draft)), replaces: stored }),
      TEXT.saved,
      QUEUE_TEXT.error,
    ).then((done) => done && onClose());
  const field = ({ name, hint, maxLength, multiline = false }: TextOption) => (
    <TextField
      key={name}
      label={labelOf(name)}
      value={draft.texts[name] ?? ''}
      multiline={multiline}
      disabled={whyNot(name) !== null}
      helperText={whyNot(name) ?? hint}
      onChange={(event) => setText(name, event.target.value)}
      slotProps={{
        htmlInput: { maxLength },
        // the reason stays readable while the field is off
        formHelperText: { sx: { '&.Mui-disabled': { color: 'text.secondary' } } },
      }}
    />
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
      {isChanged ? (
        <MessageBar tone="orange" action={<ActionButton small label={TEXT.load} onClick={load} />}>
          {TEXT.changedMeanwhile}
        </MessageBar>
      ) : null}
      {SWITCHES.map(({ name, hint }) => {
        const text = whyNot(name) ?? hint;
        return (
          <Box key={name}>
            <CheckboxField
              label={labelOf(name)}
              checked={name === 'story' ? isStory : draft.switches[name] === true}
              disabled={whyNot(name) !== null}
              {...(text === undefined ? {} : { describedBy: `why-${name}` })}
              onChange={(on) => setSwitch(name, on)}
            />
            {text === undefined ? null : <FormHelperText id={`why-${name}`}>{text}</FormHelperText>}
          </Box>
        );
      })}
      {draft.switches.paidPartnership ? field(SPONSORS) : null}
      {TEXT_FIELDS.map(field)}
      <SelectField
        label={labelOf('trialReel')}
        value={draft.trialReel}
        options={[['', TEXT.trialReel.none], ...TRIAL_REELS.map((choice) => [choice, TEXT.trialReel[choice]] as const)]}
        disabled={whyNot('trialReel') !== null}
        helperText={whyNot('trialReel') ?? TEXT.trialReel.hint}
        onChange={(choice) => setDraft({ ...draft, trialReel: TRIAL_REELS.find((known) => known === choice) ?? '' })}
      />
      {kind === 'reel' || item.coverUrl ? (
        <CoverField item={item} label={labelOf('uploadedCover')} whyNot={whyNot('uploadedCover')} />
      ) : null}
      {draft.texts.audioId === ''
        ? null
        : (['audioVolume', 'videoVolume'] as const).map((name) => (
            <TextField
              key={name}
              type="number"
              label={TEXT[name]}
              value={draft.texts[name] ?? ''}
              onChange={(event) => setText(name, event.target.value)}
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
