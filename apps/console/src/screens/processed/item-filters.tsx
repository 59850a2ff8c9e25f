import type { ContentItem } from '@autoposter/contracts';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { SELECTION_TEXT } from '../../text/shell.text';
import { ActionButton } from '../../ui/actions';
import { sourceName } from '../../ui/format';
import { SelectField } from '../../ui/fields';
import { Box, TextField } from '../../ui/mui';
import { useDebouncedText } from '../../ui/timers';
import { useUrlState } from '../../ui/use-url-state';
import { isPosted } from './item-actions';

export type ProcessedView = 'grid' | 'reels';
export type OpenDialog = 'details' | 'analysis';

const DEFAULTS = { view: 'grid', item: '', dialog: '', search: '', subreddit: '', type: '', posted: '' };
export type ProcessedFields = typeof DEFAULTS;

export interface ProcessedUrlState {
  view: ProcessedView;
  /** The item of the open dialog, or the current one in Reels mode. */
  item: string | null;
  dialog: OpenDialog | null;
  search: string;
  subreddit: string;
  type: string;
  posted: string;
}

/** View, filters, item and open dialog in the URL. `change` has a stable identity. */
export function useProcessedUrlState(): [ProcessedUrlState, ReturnType<typeof useUrlState<ProcessedFields>>['change']] {
  const { fields, change } = useUrlState(DEFAULTS);
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  const stable = useCallback<typeof change>((...args) => latest.current(...args), []);
  const { view, item, dialog } = fields;
  return [
    {
      ...fields,
      view: view === 'reels' ? 'reels' : 'grid',
      item: item === '' ? null : item,
      dialog: dialog === 'details' || dialog === 'analysis' ? dialog : null,
    },
    stable,
  ];
}

interface ItemFilter {
  search: string;
  subreddit: string;
  type: string;
  posted: string;
}

const haystacks = new WeakMap<ContentItem, string>();

function haystack(item: ContentItem): string {
  const known = haystacks.get(item);
  if (known !== undefined) return known;
  const { caption = '', hashtags = [] } = item.aiContent ?? {};
  const text = [item.title, item.author, sourceName(item), caption, ...hashtags].join('\n').toLowerCase();
  haystacks.set(item, text);
  return text;
}

/** Items that contain all words of the search and match every set filter. */
export function filterItems(items: readonly ContentItem[], { search, subreddit, type, posted }: ItemFilter): readonly ContentItem[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0 && subreddit === '' && type === '' && posted === '') return items;
  return items.filter(
    (item) =>
      (subreddit === '' || sourceName(item) === subreddit) &&
      (type === '' || item.mediaType === type) &&
      (posted === '' || isPosted(item) === (posted === 'yes')) &&
      words.every((word) => haystack(item).includes(word)),
  );
}

const sourcesOf = (items: readonly ContentItem[]): string[] => [...new Set(items.map(sourceName))].sort((a, b) => a.localeCompare(b));

interface ItemFiltersProps {
  items: readonly ContentItem[];
  shown: number;
  filter: ItemFilter;
  onChange: (change: Partial<ItemFilter>) => void;
  onSelectAll: () => void;
}

const TYPES: readonly (readonly [string, string])[] = [['', TEXT.allTypes], ...Object.entries(TEXT.types)];
const POSTED = Object.entries(TEXT.postedChoices);

export function ItemFilters({ items, shown, filter, onChange, onSelectAll }: ItemFiltersProps) {
  const sources = useMemo(() => [['', TEXT.allSources] as const, ...sourcesOf(items).map((source) => [source, source] as const)], [items]);
  const [typed, type] = useDebouncedText(filter.search, (search) => onChange({ search }));
  const set = Object.values({ ...filter, search: typed }).some((value) => value !== '');
  return (
    <Box
      role="search"
      aria-label={TEXT.title}
      sx={{
        display: 'grid',
        gap: 3,
        mb: 5,
        alignItems: 'center',
        gridTemplateColumns: { xs: '1fr 1fr', lg: 'minmax(220px, 1fr) 180px 140px 150px auto' },
      }}
    >
      <TextField
        type="search"
        label={TEXT.search}
        placeholder={TEXT.searchHint}
        value={typed}
        onChange={(event) => type(event.target.value)}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { 'data-search': '' } }}
        sx={{ gridColumn: { xs: '1 / -1', lg: 'auto' } }}
      />
      <SelectField label={TEXT.source} value={filter.subreddit} options={sources} onChange={(subreddit) => onChange({ subreddit })} />
      <SelectField label={TEXT.type} value={filter.type} options={TYPES} onChange={(next) => onChange({ type: next })} />
      <SelectField label={TEXT.postedFilter} value={filter.posted} options={POSTED} onChange={(posted) => onChange({ posted })} />
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          rowGap: 2,
          '& > button + button': { ml: 2 },
          gridColumn: { xs: set ? '1 / -1' : 'auto', lg: 'auto' },
        }}
      >
        <Box role="status" sx={{ fontSize: 13, color: 'text.secondary', whiteSpace: 'nowrap', mr: set ? 2 : 0 }}>
          {set ? TEXT.found(shown, items.length) : ''}
        </Box>
        {set ? (
          <ActionButton
            small
            label={TEXT.clearFilters}
            variant="text"
            onClick={() => (type(''), onChange({ search: '', subreddit: '', type: '', posted: '' }))}
          />
        ) : null}
        <ActionButton small label={SELECTION_TEXT.all} disabled={shown === 0} onClick={onSelectAll} />
      </Box>
    </Box>
  );
}
