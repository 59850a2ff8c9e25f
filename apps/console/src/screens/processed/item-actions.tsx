import { api, type ContentItem, type InstagramConfig } from '@autoposter/contracts';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { changeMany, type ManyChange } from '../../app/bulk/change-many';
import { BulkBar, type Selection, useSelected } from '../../app/bulk/selection';
import { AFTER_DISCARD, AFTER_ENQUEUE, useContentCalls } from '../../data/content/use-content';
import { keys } from '../../data/http/cache';
import { errorText } from '../../data/http/client';
import { useSelectedAccount } from '../../data/instagram-accounts/use-accounts';
import { useInstagramConfig } from '../../data/publishing/use-publishing';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { ActionButton } from '../../ui/actions';
import { useConfirm } from '../../ui/dialogs';
import { MessageBar } from '../../ui/feedback';
import { sourceName } from '../../ui/format';
import { Box, Link } from '../../ui/mui';
import { notify } from '../../ui/notifications';

export const isPosted = (item: Pick<ContentItem, 'status'>): boolean => item.status === 'instagram_posted';

/** Whether Instagram can fetch the media. Images and galleries are only accepted as a public URL. */
const isFetchable = (item: Pick<ContentItem, 'mediaType' | 'mediaCount'>, config: InstagramConfig | undefined): boolean =>
  (item.mediaType === 'video' && (item.mediaCount ?? 1) <= 1 ? config?.canPublishVideos : config?.canPublishImages) !== false;

/** Videos with a detailed analysis. List entries carry only the flag. */
export const hasAnalysis = ({ mediaType, aiContent }: Pick<ContentItem, 'mediaType' | 'aiContent'>): boolean =>
  mediaType === 'video' && aiContent !== null && (aiContent.hasDetailedAnalysis ?? aiContent.detailedAnalysis !== null);

export const allowsAutoplay = (): boolean => !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** What an administrator decides by publishing the item. */
export const reviewReasonsOf = ({ needsReview, reviewReasons, aiContent }: ContentItem): string[] => [
  ...new Set([...(needsReview === true ? (reviewReasons ?? []) : []), ...(aiContent?.violations ?? [])]),
];

const captionOf = (item: ContentItem) => item.aiContent?.caption ?? '';

function useChangeItems() {
  const { enqueue, discard, invalidate } = useContentCalls();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const markBusyDuring = async (items: readonly ContentItem[], work: Promise<void>): Promise<void> => {
    const ids = items.map((item) => item.id);
    setBusy((before) => new Set([...before, ...ids]));
    await work;
    setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))));
  };
  const run = async (items: readonly ContentItem[], change: ManyChange<ContentItem>): Promise<void> => {
    await markBusyDuring(items, changeMany(items, change));
    // The completed list is already up to date: changed items were removed from it.
    invalidate(change.refresh.filter((root) => root !== keys.completed));
  };

  return {
    busy,
    add: (items: readonly ContentItem[]) =>
      run(items, {
        title: TEXT.adding,
        one: async (item) => {
          const { _id } = await enqueue({ id: item.id, caption: captionOf(item), postImmediately: false });
          return [{ route: api.instagramQueue.remove, params: { id: _id } }];
        },
        done: TEXT.added,
        failed: TEXT.addFailed,
        refresh: AFTER_ENQUEUE,
      }),
    discard: (items: readonly ContentItem[]) =>
      run(items, {
        title: TEXT.discarding,
        one: async (item) => {
          await discard(item.id);
          return [{ route: api.content.restore, params: { id: item.id } }];
        },
        done: TEXT.discarded,
        failed: TEXT.discardFailed,
        refresh: AFTER_DISCARD,
      }),
    post: (item: ContentItem) =>
      markBusyDuring(
        [item],
        enqueue({ id: item.id, caption: captionOf(item), postImmediately: true }).then(
          () => {
            notify.success(TEXT.posting);
            invalidate(AFTER_ENQUEUE);
          },
          (error: unknown) => notify.failure(TEXT.addFailed(errorText(error))),
        ),
      ),
  };
}

interface ItemActions {
  /** Whether the selected account can publish; undefined while unknown. */
  configured: boolean | undefined;
  /** Why Instagram cannot fetch the media of this item; `null` if it can or it is unknown. */
  unreachableReason: (item: ContentItem) => string | null;
  busy: (id: string) => boolean;
  add: (items: readonly ContentItem[]) => void;
  discard: (items: readonly ContentItem[]) => void;
  post: (item: ContentItem) => void;
}

const ItemActionsContext = createContext<ItemActions | null>(null);

export function useItemActions(): ItemActions {
  const actions = useContext(ItemActionsContext);
  if (actions === null) throw new Error('the actions of items are given by their screen');
  return actions;
}

/** The final caption with author and source, and what needs review, shown before publishing. */
function FinalPost({ item }: { item: ContentItem }) {
  const caption = item.aiContent?.caption ?? '';
  const reasons = reviewReasonsOf(item);
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      {reasons.length === 0 ? null : <MessageBar tone="orange">{TEXT.needsReview(reasons)}</MessageBar>}
      <Box dir="auto" sx={{ color: 'text.primary', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {caption === '' ? TEXT.noCaption : caption}
      </Box>
      <Box>
        {TEXT.by(item.author, sourceName(item))}{' '}
        <Link href={item.originalUrl ?? item.url} target="_blank" rel="noreferrer">
          {TEXT.original}
        </Link>
      </Box>
    </Box>
  );
}

/** Provides the item actions; publishing needs a confirmation. */
export function ItemActionsProvider({ children }: { children: ReactNode }) {
  const { accountId, isPending } = useSelectedAccount();
  // the environment's account is not the one to ask about while the connected ones are unknown
  const config = useInstagramConfig(accountId, !isPending).data;
  const changes = useChangeItems();
  const { confirm, dialog } = useConfirm();
  const latest = useRef(changes);
  useEffect(() => {
    latest.current = changes;
  });
  const { busy } = changes;
  const actions = useMemo(
    (): ItemActions => ({
      configured: config?.isConfigured,
      unreachableReason: (item) => (isFetchable(item, config) ? null : (config?.mediaHint ?? TEXT.unreachableReason)),
      busy: (id) => busy.has(id),
      add: (items) => void latest.current.add(items),
      discard: (items) => void latest.current.discard(items),
      post: (item) => {
        const danger = reviewReasonsOf(item).length > 0;
        const question = danger ? TEXT.postFlaggedQuestion : TEXT.postQuestion;
        confirm({ question, detail: <FinalPost item={item} />, confirm: TEXT.postNow, danger }, () => void latest.current.post(item));
      },
    }),
    [busy, config, confirm],
  );
  return (
    <ItemActionsContext value={actions}>
      {children}
      {dialog}
    </ItemActionsContext>
  );
}

export function ItemButtons({ item }: { item: ContentItem }) {
  const { configured, busy, add, post, discard } = useItemActions();
  const disabled = busy(item.id);
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        '& > button:last-of-type:nth-of-type(odd)': { gridColumn: '1 / -1' },
      }}
    >
      {isPosted(item) ? null : <ActionButton small label={TEXT.add} variant="contained" disabled={disabled} onClick={() => add([item])} />}
      {isPosted(item) || configured !== true ? null : (
        <ActionButton small label={TEXT.postNow} disabled={disabled} onClick={() => post(item)} />
      )}
      <ActionButton small label={TEXT.discard} variant="text" disabled={disabled} onClick={() => discard([item])} />
      {configured === false && !isPosted(item) ? (
        <Box component="p" sx={{ m: 0, gridColumn: '1 / -1', fontSize: 12, textAlign: 'center', color: 'status.orange.text' }}>
          {TEXT.notConfigured}
        </Box>
      ) : null}
    </Box>
  );
}

export function BulkActions({ items, selection }: { items: readonly ContentItem[]; selection: Selection }) {
  const { add, discard } = useItemActions();
  const ids = useSelected(selection);
  const chosen = ids.size === 0 ? [] : items.filter((item) => ids.has(item.id));
  if (chosen.length === 0) return null;
  const queueable = chosen.filter((item) => !isPosted(item));
  const run = (work: (items: readonly ContentItem[]) => void, on: readonly ContentItem[]) => () => {
    selection.clear();
    work(on);
  };
  return (
    <BulkBar selected={chosen.length} onClear={() => selection.clear()}>
      <ActionButton small label={TEXT.add} variant="contained" disabled={queueable.length === 0} onClick={run(add, queueable)} />
      <ActionButton small label={TEXT.discard} onClick={run(discard, chosen)} />
    </BulkBar>
  );
}
