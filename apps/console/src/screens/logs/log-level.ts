import type { StatusTone } from '../../theme/tokens';

export const LEVELS = ['error', 'warn', 'info', 'debug', 'other'] as const;
export type LogLevel = (typeof LEVELS)[number];

export const LEVEL_TONE: Record<LogLevel, StatusTone> = { error: 'red', warn: 'orange', info: 'blue', debug: 'grey', other: 'grey' };

const WORD = 'FATAL|ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE';
/** Where a level stands: behind the time, as a field, or as a word in capitals; the first that is found counts. */
const PLACES: readonly RegExp[] = [
  new RegExp(`^(?:[\\d:.,TZ+/-]+\\s+){0,2}[[(<]?(${WORD})\\b`, 'iu'),
  /"level":\s*"?(\w+)/iu,
  /\blevel=["']?(\w+)/iu,
  new RegExp(`\\b(${WORD})\\b`, 'u'),
];
const NAMES: Record<string, LogLevel> = {
  fatal: 'error',
  error: 'error',
  warn: 'warn',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
  '60': 'error',
  '50': 'error',
  '40': 'warn',
  '30': 'info',
  '20': 'debug',
  '10': 'debug',
};

/** The level that stands in a line; "other" where none does. */
export function logLevel(line: string): LogLevel {
  for (const place of PLACES) {
    const level = NAMES[(place.exec(line)?.[1] ?? '').toLowerCase()];
    if (level !== undefined) return level;
  }
  return 'other';
}
