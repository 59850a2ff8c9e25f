import type { StatusTone } from '../../theme/tokens';

const LEVELS: readonly (readonly [RegExp, StatusTone])[] = [
  [/\b(?:FATAL|ERROR)\b|"level":\s*(?:"(?:error|fatal)"|[56]0)/iu, 'red'],
  [/\bWARN(?:ING)?\b|"level":\s*(?:"warn"|40)/iu, 'orange'],
  [/\bINFO\b|"level":\s*(?:"info"|30)/iu, 'blue'],
];

/** The tone of a line by the level that stands in it; lines without one are grey. */
export const lineTone = (line: string): StatusTone => LEVELS.find(([pattern]) => pattern.test(line))?.[1] ?? 'grey';
