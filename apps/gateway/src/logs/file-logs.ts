import { open, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf } from './log-line';
import { KEPT_ELSEWHERE, type LogSource, type ProcessLine } from './log-source';

const FILE = /^([a-z][a-z0-9-]{0,40})-(out|error)\.log$/;
const TAIL_BYTES = 1_000_000;
const SERVER = 'gateway';

/** The launcher's log files: `<process>-out.log` and `<process>-error.log`. */
export class FileLogs implements LogSource {
  constructor(private readonly folder: string) {}

  async tail(scope: 'server' | 'all', lines: number): Promise<ProcessLine[]> {
    const files = (await this.files()).filter(({ process }) => scope === 'all' || process === SERVER);
    const read = await Promise.all(
      files.map(async ({ name, ...from }) => {
        const { text, writtenAt } = await tailOf(join(this.folder, name));
        return linesOf(text, { ...from, writtenAt }, lines);
      }),
    );
    // the sort is stable: lines of one file with the same time keep their order
    return read
      .flat()
      .sort((a, b) => a.at - b.at)
      .slice(-lines);
  }

  async elsewhere(): Promise<string | null> {
    return (await this.files()).length > 0 ? null : KEPT_ELSEWHERE;
  }

  async clear(): Promise<void> {
    // the launcher opens the files for appending, so writing continues at the start of a truncated file
    await Promise.all((await this.files()).map(({ name }) => truncate(join(this.folder, name)).catch(ignoreMissing)));
  }

  private async files(): Promise<{ name: string; process: string; fromErrorStream: boolean }[]> {
    const names = await readdir(this.folder).catch((error: unknown) => ignoreMissing(error) ?? []);
    return names.sort().flatMap((name) => {
      const match = FILE.exec(name);
      return match ? [{ name, process: match[1] ?? '', fromErrorStream: match[2] === 'error' }] : [];
    });
  }
}

/** The end of a file, starting at a line boundary. */
async function tailOf(path: string): Promise<{ text: string; writtenAt: number }> {
  const file = await open(path, 'r').catch((error: unknown) => ignoreMissing(error) ?? null);
  if (file === null) return { text: '', writtenAt: 0 };
  try {
    const { size, mtimeMs: writtenAt } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    return { text: start === 0 ? text : text.slice(text.indexOf('\n') + 1), writtenAt };
  } finally {
    await file.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
  throw error;
}
