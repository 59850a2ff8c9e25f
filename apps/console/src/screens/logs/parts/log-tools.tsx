import { mdiChevronDown, mdiChevronUp, mdiDownload, mdiRegex, mdiWrap } from '@mdi/js';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import type { KeyboardEvent } from 'react';
import { LOGS_TEXT as TEXT } from '../../../text/logs.text';
import { count } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { LEVEL_TONE, LEVELS, type LogLevel } from '../log-level';
import type { LogsAddress } from '../logs.url';

interface LogToolsProps {
  address: LogsAddress;
  onChange: (change: Partial<LogsAddress>) => void;
  counts: Record<LogLevel, number>;
  search: string;
  onSearch: (text: string) => void;
  /** "3 of 12", or what is wrong with the pattern. */
  result: string;
  onStep: (by: 1 | -1) => void;
  onDownload: () => void;
}

/** Levels with their counts, search, wrapping and download. */
export function LogTools({ address, onChange, counts, search, onSearch, result, onStep, onDownload }: LogToolsProps) {
  const { hidden, regex, wrap } = address;
  const flip = (level: LogLevel) =>
    onChange({ hidden: hidden.includes(level) ? hidden.filter((each) => each !== level) : [...hidden, level] });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  const toggles = [
    { label: TEXT.regex, icon: mdiRegex, on: regex, set: () => onChange({ regex: !regex }) },
    { label: TEXT.wrap, icon: mdiWrap, on: wrap, set: () => onChange({ wrap: !wrap }) },
  ];
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap', px: 4, py: 3, borderBottom: 1, borderColor: 'line.main' }}>
      <Stack direction="row" role="group" aria-label={TEXT.levels} sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        {LEVELS.map((level) => (
          <ToggleButton
            key={level}
            value={level}
            size="small"
            className="tabular"
            disabled={level === 'other'}
            selected={!hidden.includes(level)}
            onChange={() => flip(level)}
            sx={{ minHeight: 32, borderRadius: '999px', gap: 1.5, '&.Mui-disabled': { color: 'text.secondary' } }}
          >
            <Box component="span" aria-hidden sx={{ width: 8, height: 8, borderRadius: 999, bgcolor: `status.${LEVEL_TONE[level]}.dot` }} />
            {TEXT.levelNames[level]} {count(counts[level])}
          </ToggleButton>
        ))}
      </Stack>
      <Stack
        direction="row"
        sx={{ gap: 2, rowGap: 2, alignItems: 'center', flexWrap: { xs: 'wrap', sm: 'nowrap' }, flex: '1 1 440px', minWidth: 0 }}
      >
        <TextField
          type="search"
          label={TEXT.search}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={onKey}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { 'data-search': '' } }}
          sx={{ width: { xs: 1, sm: 'auto' }, flex: { sm: 1 } }}
        />
        <Box
          role="status"
          className="tabular"
          sx={{ fontSize: 13, color: 'text.secondary', minWidth: { sm: 56 }, whiteSpace: 'nowrap', '&:empty': { mr: { xs: -2, sm: 0 } } }}
        >
          {result}
        </Box>
        <IconButton aria-label={TEXT.previous} disabled={search === ''} onClick={() => onStep(-1)}>
          <Icon path={mdiChevronUp} />
        </IconButton>
        <IconButton aria-label={TEXT.next} disabled={search === ''} onClick={() => onStep(1)}>
          <Icon path={mdiChevronDown} />
        </IconButton>
        {toggles.map(({ label, icon, on, set }) => (
          <ToggleButton key={label} value={label} aria-label={label} title={label} size="small" selected={on} onChange={set}>
            <Icon path={icon} />
          </ToggleButton>
        ))}
        <IconButton aria-label={TEXT.download} title={TEXT.download} onClick={onDownload}>
          <Icon path={mdiDownload} />
        </IconButton>
      </Stack>
    </Stack>
  );
}
