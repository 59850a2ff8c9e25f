import { useMemo, useState } from 'react';
import { LOGS_TEXT as TEXT } from '../../../text/logs.text';
import { count } from '../../../ui/format';
import { saveFile } from '../../../ui/export-text';
import { useDebouncedText } from '../../../ui/use-debounced-text';
import { newBuffer, takeIn } from '../log-buffer';
import { LEVELS, type LogLevel } from '../log-level';
import { findLines, patternOf } from '../log-search';
import type { LogsAddress } from '../logs.url';
import { LogTools } from './log-tools';
import { LogView } from './log-view';

interface LogPanelProps {
  /** The last lines of the log, as they were read. */
  read: readonly string[];
  address: LogsAddress;
  onChange: (change: Partial<LogsAddress>) => void;
}

/** One log: its lines with what is hidden and looked for. */
export function LogPanel({ read, address, onChange }: LogPanelProps) {
  const [buffer, setBuffer] = useState(() => newBuffer(read));
  const [following, setFollowing] = useState(true);
  const [step, setStep] = useState<number | null>(null);
  const [search, type] = useDebouncedText(address.search, (text) => onChange({ search: text }));
  if (buffer.read !== read) setBuffer(takeIn(buffer, read, following));
  const { regex, tab } = address;
  const hidden = address.hidden.join();
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
        address={address}
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
        wrap={address.wrap}
        pattern={pattern}
        at={place === null ? null : (found[place] ?? null)}
        onFollowing={setFollowing}
      />
    </>
  );
}
