import { cutText } from '@autoposter/domain';
import { redactText } from '@autoposter/observability';
import type { ProcessLine } from './log-source';

const LEVEL_WORDS: Record<number, string> = { 10: 'DEBUG', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'ERROR' };
const ERROR_LEVEL = 50;
/** Fields that are shown in the prefix, or that every line has. */
const PREFIX_FIELDS = new Set(['level', 'time', 'msg', 'service', 'name', 'pid', 'hostname', 'v']);
const MAX_LINE = 4000;
/** Timestamp at the start of a foreign line, for example of PostgreSQL. */
const STAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: ?UTC|Z)\b/u;
// eslint-disable-next-line no-control-regex -- this pattern removes colours and other control characters
const CONTROL = /\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

interface Entry {
  time: number | null;
  level: number | null;
  text: string;
}

/** Parses our JSON lines into time, level and text; other lines are kept as they are. */
export function readLine(raw: string): Entry {
  const line = cutText(raw.replace(CONTROL, ''), MAX_LINE);
  const fields = parseJson(line);
  if (!fields) return { time: timeOf(STAMP.exec(line)?.slice(1).join('T').concat('Z')), level: null, text: line };
  const level = levelOf(fields['level']);
  const time = timeOf(fields['time']);
  const rest = Object.entries(fields).filter(([name]) => !PREFIX_FIELDS.has(name));
  const message = typeof fields['msg'] === 'string' ? fields['msg'] : '';
  const details = rest.map(([name, value]) => `${name}=${shown(value)}`).join(' ');
  return {
    time,
    level,
    text: cutText([message, details].filter((part) => part !== '').join(' '), MAX_LINE),
  };
}

/** Programs that write all output to stderr. */
const FOREIGN: ReadonlySet<string> = new Set(['postgres']);

export function isError(line: ProcessLine): boolean {
  if (FOREIGN.has(line.process)) return false;
  const { level, text } = readLine(line.text);
  if (level !== null) return level >= ERROR_LEVEL;
  return line.fromErrorStream || /\b(error|fatal|exception)\b/i.test(text);
}

/** `2026-05-05T10:00:00.000Z ERROR [gateway] message name=value` */
export function presentLine(line: ProcessLine): string {
  const { level, text } = readLine(line.text);
  const label = level === null ? (line.fromErrorStream && !FOREIGN.has(line.process) ? 'ERROR' : 'INFO') : (LEVEL_WORDS[level] ?? 'INFO');
  const at = line.at > 0 ? new Date(line.at).toISOString() : '-';
  // our own lines are redacted when they are written; foreign lines and crash output are not
  return `${at} ${label} [${line.process}] ${redactText(text)}`;
}

export interface Output {
  process: string;
  fromErrorStream: boolean;
  /** Time of the last write, in milliseconds since 1970. */
  writtenAt: number;
}

/**
 * The last lines of a text with their times. A line without a timestamp takes that of the previous line, else of the next one, else the
 * time of the last write.
 */
export function linesOf(text: string, { process, fromErrorStream, writtenAt }: Output, atMost: number): ProcessLine[] {
  const all = text.split('\n').filter((raw) => raw.trim() !== '');
  const shown = all.slice(-atMost);
  const times = shown.map((raw) => readLine(raw).time);
  let at = lastTimeIn(all.slice(0, all.length - shown.length)) ?? times.find((time) => time !== null) ?? writtenAt;
  return shown.map((raw, index) => ({ at: (at = times[index] ?? at), process, fromErrorStream, text: raw }));
}

function lastTimeIn(raws: readonly string[]): number | null {
  for (let index = raws.length - 1; index >= 0; index -= 1) {
    const { time } = readLine(raws[index] ?? '');
    if (time !== null) return time;
  }
  return null;
}

function parseJson(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function levelOf(level: unknown): number | null {
  if (typeof level === 'number') return level;
  const word = typeof level === 'string' ? level.toUpperCase() : '';
  const found = Object.entries(LEVEL_WORDS).find(([, name]) => name === word);
  return found ? Number(found[0]) : word === 'FATAL' ? 60 : null;
}

function timeOf(time: unknown): number | null {
  const at = typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) : NaN;
  return Number.isFinite(at) ? at : null;
}

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
