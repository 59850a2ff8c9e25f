import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface MediaPrograms {
  ffmpeg: string;
  ffprobe: string;
}

/** Full paths of the programs that the product uses. */
export function mediaPrograms(): MediaPrograms {
  const find = (variable: string, name: string): string => {
    const found = spawnSync('sh', ['-c', `command -v "\${${variable}:-${name}}"`], { encoding: 'utf8' }).stdout.trim();
    if (found === '') throw new Error(`${name} is missing`);
    return found;
  };
  return { ffmpeg: find('FFMPEG_PATH', 'ffmpeg'), ffprobe: find('FFPROBE_PATH', 'ffprobe') };
}

const FIELD = '\u001f';
const RECORD = '\u001e';

/** Wrapper scripts that record the arguments before they run the programs. */
export function recordingPrograms(folder: string, { ffmpeg, ffprobe }: MediaPrograms, log: string): MediaPrograms {
  const script = (name: string, program: string): string => {
    const file = path.join(folder, name);
    const record = `{ printf '%s\\037' ${quoted(program)} "$@"; printf '\\036'; } >> ${quoted(log)}`;
    fs.writeFileSync(file, `#!/bin/sh\n${record}\nexec ${quoted(program)} "$@"\n`, { mode: 0o755 });
    return file;
  };
  return { ffmpeg: script('ffmpeg', ffmpeg), ffprobe: script('ffprobe', ffprobe) };
}

/** The work folder of a run in an argument. */
const RUN_FOLDER = /[^\s:=']*\/work\/run\.[^/]+/u;

/** The recorded commands of each run, in order, with the run's folder replaced by one below `folder`. Other commands are omitted. */
export function callsByRun(recorded: string, folder: string): { folder: string; calls: string[][] }[] {
  const runs = new Map<string, { folder: string; calls: string[][] }>();
  for (const record of recorded.split(RECORD).filter(Boolean)) {
    const call = record.split(FIELD).slice(0, -1);
    const place = call.map((word) => RUN_FOLDER.exec(word)?.[0]).find((found) => found !== undefined);
    if (place === undefined) continue;
    const run = runs.get(place) ?? { folder: path.join(folder, `run-${runs.size}`), calls: [] };
    runs.set(place, run);
    run.calls.push(call.map((word) => word.replaceAll(place, run.folder)));
  }
  return [...runs.values()];
}

/** A shell script that runs these commands without output and stops at the first failure. */
export const scriptOf = (calls: readonly (readonly string[])[]): string =>
  ['set -e', ...calls.map((call) => `${call.map(quoted).join(' ')} < /dev/null > /dev/null 3> /dev/null`), ''].join('\n');

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
