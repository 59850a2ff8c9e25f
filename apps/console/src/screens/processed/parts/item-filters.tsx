import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { SELECTION_TEXT } from '../../../text/selection.text';
import { SelectField } from '../../../ui/select-field';
import { useDebouncedText } from '../../../ui/use-debounced-text';
import { sourcesOf, type ItemFilter } from '../filter-items';

interface ItemFiltersProps {
  items: readonly ContentItem[];
  shown: number;
  filter: ItemFilter;
  onChange: (change: Partial<ItemFilter>) => void;
  onSelectAll: () => void;
}

const TYPES: readonly (readonly [string, string])[] = [['', TEXT.allTypes], ...Object.entries(TEXT.types)];
const POSTED = Object.entries(TEXT.postedChoices);

/** Search and filters over what is ready; all of them stand in the address. */
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
          gridColumn: { xs: '1 / -1', lg: 'auto' },
        }}
      >
        <Box role="status" className="tabular" sx={{ fontSize: 13, color: 'text.secondary', whiteSpace: 'nowrap', mr: set ? 2 : 0 }}>
          {set ? TEXT.found(shown, items.length) : ''}
        </Box>
        {set ? (
          <Button size="small" variant="text" onClick={() => (type(''), onChange({ search: '', subreddit: '', type: '', posted: '' }))}>
            {TEXT.clearFilters}
          </Button>
        ) : null}
        <Button size="small" variant="outlined" disabled={shown === 0} onClick={onSelectAll}>
          {SELECTION_TEXT.all}
        </Button>
      </Box>
    </Box>
  );
}
