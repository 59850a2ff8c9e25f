import { type CaptionVariationView, type ContentItem, LIMITS, type TopComment } from '@autoposter/contracts';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorText } from '../../data/http/client';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { STANDALONE_LINK } from '../../theme/tokens';
import { ActionButton } from '../../ui/actions';
import { DialogFrame } from '../../ui/dialogs';
import { LoadingRows, MessageBar } from '../../ui/feedback';
import { count, truncate } from '../../ui/format';
import { Box, Link, Stack, Typography, useMediaQuery } from '../../ui/mui';
import { Tag } from '../../ui/status';
import { isPosted, reviewReasonsOf, useItemActions } from './item-actions';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" sx={{ minWidth: 0 }}>
      <Typography variant="overline" component="h3" sx={{ color: 'text.secondary', mb: 1 }}>
        {title}
      </Typography>
      <Box sx={{ fontSize: 13, overflowWrap: 'anywhere' }}>{children}</Box>
    </Box>
  );
}

interface QuotesProps<T> {
  entries: readonly T[];
  /** The line above the text of an entry. */
  head: (entry: T) => ReactNode;
  textOf: (entry: T) => string;
  /** Truncates longer texts; without it they are shown in full. */
  characters?: number | undefined;
  onUse: (text: string) => void;
}

/** Texts that can be used as a caption. */
function Quotes<T>({ entries, head, textOf, characters = Infinity, onUse }: QuotesProps<T>) {
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 3 }}>
      {entries.map((entry, index) => (
        <Box component="li" key={index} sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
          {head(entry)}
          <Box dir="auto" title={textOf(entry)}>
            {truncate(textOf(entry), characters)}
          </Box>
          <ActionButton small label={TEXT.useAsCaption} onClick={() => onUse(textOf(entry))} />
        </Box>
      ))}
    </Stack>
  );
}

type QuoteListProps = Pick<QuotesProps<never>, 'characters' | 'onUse'>;

const repliesOf = ({ replies, replyCount = replies.length }: TopComment): string =>
  replyCount === 1 ? '1 reply' : `${count(replyCount)} replies`;

export const Comments = ({ comments, ...rest }: QuoteListProps & { comments: readonly TopComment[] }) => (
  <Quotes
    {...rest}
    entries={comments}
    textOf={({ body }) => body}
    head={(comment) => (
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        <strong>{comment.author}</strong> {`· ${count(comment.score)} points · ${repliesOf(comment)}`}
      </Box>
    )}
  />
);

export const Variations = ({ variations, ...rest }: QuoteListProps & { variations: readonly CaptionVariationView[] }) => (
  <Quotes
    {...rest}
    entries={variations}
    textOf={({ caption }) => caption}
    head={({ variation, tone, length }) => (
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Tag>{variation}</Tag>
        <Tag>{tone}</Tag>
        <Tag>{length}</Tag>
      </Stack>
    )}
  />
);

/** Opens the form that drafts a request to the author of this post. */
export function AskPermission({ item: { author, originalUrl, platform, title, url } }: { item: ContentItem }) {
  const by: Record<string, string> = author === null ? {} : { author: `${platform === 'reddit' ? 'u/' : '@'}${author}` };
  const about = new URLSearchParams({ view: 'permissions', post: originalUrl ?? url, ...by, title });
  return (
    <Link component={RouterLink} to={`/admin/rights?${about.toString()}`} variant="body2" sx={STANDALONE_LINK}>
      {TEXT.askPermission}
    </Link>
  );
}

/** Review reasons, trimming and fetch problems; nothing for published items. */
export function ReviewNote({ item }: { item: ContentItem }) {
  const { unreachableReason } = useItemActions();
  if (item.sourceRemovedAt) return <MessageBar tone="red">{TEXT.removedAtSource(isPosted(item))}</MessageBar>;
  if (isPosted(item)) return null;
  const reasons = reviewReasonsOf(item);
  const unreachable = unreachableReason(item);
  const { trimmedFromSeconds: before, filesLeftOut: leftOut, enlargedFrom: enlarged = [], contentCredentials = [] } = item;
  const issuers = [...new Set(contentCredentials.map(({ issuer }) => issuer))];
  const facts = [
    before && TEXT.trimmed(Math.round(before), LIMITS.reels.maxSeconds),
    leftOut && TEXT.leftOut(leftOut),
    enlarged.length && TEXT.enlarged(enlarged),
    issuers.length && TEXT.contentCredentials(issuers),
    unreachable,
  ];
  return (
    <>
      {item.lastError ? <MessageBar tone="orange">{TEXT.regenerationFailed(item.lastError.message)}</MessageBar> : null}
      {reasons.length > 0 ? (
        <MessageBar tone="orange" action={item.needsPermission ? <AskPermission item={item} /> : null}>
          {TEXT.review(reasons)}
        </MessageBar>
      ) : null}
      {facts.map((fact) =>
        fact ? (
          <MessageBar key={fact} tone={fact === unreachable ? 'orange' : 'blue'}>
            {fact}
          </MessageBar>
        ) : null,
      )}
    </>
  );
}

interface ItemDialogProps {
  title: ReactNode;
  reading: boolean;
  error: Error | null;
  onClose: () => void;
  children: ReactNode;
}

/** Frame of the item dialogs; full screen on phones. */
export function ItemDialog({ title, reading, error, onClose, children }: ItemDialogProps) {
  const narrow = useMediaQuery('(max-width: 720px)');
  return (
    <DialogFrame large maxWidth="md" fullScreen={narrow} title={title} onClose={onClose}>
      {children}
      {reading ? <LoadingRows rows={2} height={56} label={TEXT.loading} /> : null}
      {error === null ? null : <MessageBar tone="red">{errorText(error)}</MessageBar>}
    </DialogFrame>
  );
}
