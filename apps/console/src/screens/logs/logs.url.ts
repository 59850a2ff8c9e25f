import { LINES_CHOICES, LIMITS } from '@autoposter/contracts';
import { LOG_TABS, type LogTab } from '../../data/logs/use-logs';
import { useUrlState } from '../../ui/use-url-state';
import { LEVELS, type LogLevel } from './log-level';

const DEFAULTS = { tab: 'server', lines: String(LIMITS.logs.defaultLines), auto: '', search: '', regex: '', hide: '', wrap: '' };

export interface LogsAddress {
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

/** Tab, number of lines, auto-refresh, search, hidden levels and wrapping live in the address. */
export function useLogsAddress(): [LogsAddress, (change: Partial<LogsAddress>) => void] {
  const { fields, change } = useUrlState(DEFAULTS);
  const hidden = fields.hide.split(',');
  const address: LogsAddress = {
    tab: LOG_TABS.find((each) => each === fields.tab) ?? 'server',
    lines: LINES_CHOICES.find((choice) => String(choice) === fields.lines) ?? LIMITS.logs.defaultLines,
    auto: fields.auto === ON,
    search: fields.search,
    regex: fields.regex === ON,
    // Lines without a level are always shown.
    hidden: LEVELS.filter((level) => level !== 'other' && hidden.includes(level)),
    wrap: fields.wrap === ON,
  };
  const set = ({ tab, lines, auto, search, regex, hidden: hide, wrap }: Partial<LogsAddress>) => {
    const given = { tab, lines: lines?.toString(), auto: flag(auto), search, regex: flag(regex), hide: hide?.join(','), wrap: flag(wrap) };
    change(Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string')));
  };
  return [address, set];
}
