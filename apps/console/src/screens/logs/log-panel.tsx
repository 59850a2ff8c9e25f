import { mdiChevronDown, mdiChevronUp, mdiDownload, mdiRegex, mdiWrap } from '@mdi/js';
import { LIMITS, LINES_CHOICES } from '@autoposter/contracts';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { LOG_TABS, type LogTab } from '../../data/logs/use-logs';
import { LOGS_TEXT as TEXT } from '../../text/operations.text';
import { saveFile } from '../../ui/export-text';
import { count } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Box, IconButton, Span, Stack, TextField, ToggleButton } from '../../ui/mui';
import { useDebouncedText } from '../../ui/timers';
import { useUrlState } from '../../ui/use-url-state';
import { findLines, LEVEL_TONE, LEVELS, type LogLevel, newBuffer, patternOf, takeIn } from './log-lines';
import { LogView } from './log-view';

const DEFAULTS = { tab: 'server', lines: String(LIMITS.logs.defaultLines), auto: '', search: '', regex: '', hide: '', wrap: '' };

interface LogsUrlState {
  tab: LogTab;
  lines: number;
  auto: boolean;
  search: string;
  regex: boolean;
  hidden: readonly LogLevel[];
  wrap: boolean;
}

const ON = 'yes';
const flag = (on: boolean | undefined) => (on === undefined ? {} : on ? ON : '');

/** Tab, number of lines, auto-refresh, search, hidden levels and wrapping in the URL. */
export function useLogsUrlState(): [LogsUrlState, (change: Partial<LogsUrlState>) => void] {
  const { fields, change } = useUrlState(DEFAULTS);
  const hidden = fields.hide.split(',');
  const urlState: LogsUrlState = {
    tab: LOG_TABS.find((each) => each === fields.tab) ?? 'server',
    lines: LINES_CHOICES.find((choice) => String(choice) === fields.lines) ?? LIMITS.logs.defaultLines,
    auto: fields.auto === ON,
    search: fields.search,
    regex: fields.regex === ON,
    // Lines without a level cannot be hidden.
    hidden: LEVELS.filter((level) => level !== 'other' && hidden.includes(level)),
    wrap: fields.wrap === ON,
  };
  const set = ({ tab, lines, auto, search, regex, hidden: hide, wrap }: Partial<LogsUrlState>) => {
    const given = { tab, lines: lines?.toString(), auto: flag(auto), search, regex: flag(regex), hide: hide?.join(','), wrap: flag(wrap) };
    change(Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string')));
  };
  return [urlState, set];
}

interface LogToolsProps {
  urlState: LogsUrlState;
  onChange: (change: Partial<LogsUrlState>) => void;
  counts: Record<LogLevel, number>;
  search: string;
  onSearch: (text: string) => void;
  /** "3 of 12", or that the pattern is invalid. */
  result: string;
  onStep: (by: 1 | -1) => void;
  onDownload: () => void;
}

function LogTools({ urlState, onChange, counts, search, onSearch, result, onStep, onDownload }: LogToolsProps) {
  const { hidden, regex, wrap } = urlState;
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

            disabled={level === 'other'}
            selected={!hidden.includes(level)}
            onChange={() => flip(level)}
            sx={{ minHeight: 32, borderRadius: '999px', gap: 1.5, '&.Mui-disabled': { color: 'text.secondary' } }}
          >
            <Span aria-hidden sx={{ width: 8, height: 8, borderRadius: 999, bgcolor: `status.${LEVEL_TONE[level]}.dot` }} />
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

interface LogPanelProps {
  /** The last lines of the log, oldest first. */
  read: readonly string[];
  urlState: LogsUrlState;
  onChange: (change: Partial<LogsUrlState>) => void;
}

export function LogPanel({ read, urlState, onChange }: LogPanelProps) {
  const [buffer, setBuffer] = useState(() => newBuffer(read));
  const [following, setFollowing] = useState(true);
  const [step, setStep] = useState<number | null>(null);
  const [search, type] = useDebouncedText(urlState.search, (text) => onChange({ search: text }));
  if (buffer.read !== read) setBuffer(takeIn(buffer, read, following));
  const { regex, tab } = urlState;
  const hidden = urlState.hidden.join();
  const lines = useMemo(() => buffer.lines.filter((line) => !hidden.split(',').includes(line.level)), [buffer.lines, hidden]);
  const counts = useMemo(() => {
    const sums = Object.fromEntries(LEVELS.map((level) => [level, 0])) as Record<LogLevel, number>;
    for (const line of buffer.lines) sums[line.level] += 1;
    return sums;
  }, [buffer.lines]);
  const pattern = useMemo(() => patternOf(search, regex), [search, regex]);
  const found = useMemo(() => findLines(lines, pattern), [lines, pattern]);
  const place = step === null || found.length === 0 ? null : ((step % found.length) + found.length) % found.length;
  const result = search === '' ? '' : pattern === null ? TEXT.badPattern : TEXT.found(place === null ? 0 : place + 1, count(found.length));
  return (
    <>
      <LogTools
        urlState={urlState}
        onChange={onChange}
        counts={counts}
        search={search}
        onSearch={(text) => {
          setStep(null);
          type(text);
        }}
        result={result}
        onStep={(by) => setStep(place === null ? (by === 1 ? 0 : -1) : place + by)}
        onDownload={() => saveFile(`${tab}-logs.txt`, lines.map((line) => line.text).join('\n'))}
      />
      <LogView
        lines={lines}
        label={TEXT.tabs[tab]}
        placeholder={buffer.lines.length === 0 ? TEXT.placeholder : TEXT.allHidden}
        wrap={urlState.wrap}
        pattern={pattern}
        at={place === null ? null : (found[place] ?? null)}
        onFollowing={setFollowing}
      />
    </>
  );
}
