import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callsByRun, recordingPrograms, scriptOf } from './media-programs';

describe('media programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-record-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('groups the recorded commands by run and replaces the run folders', () => {
    const log = join(folder, 'log');
    const { ffmpeg } = recordingPrograms(folder, { ffmpeg: '/bin/echo', ffprobe: '/bin/echo' }, log);
    const said = execFileSync(ffmpeg, ['-i', 'file:/data/work/run.12.abc/original-0', "it's a='b c'"], { encoding: 'utf8' });
    expect(said).toBe("-i file:/data/work/run.12.abc/original-0 it's a='b c'\n");
    execFileSync(ffmpeg, ['-version']);
    execFileSync(ffmpeg, ['-y', '/data/work/run.13.def/out.mp4']);
    expect(callsByRun(readFileSync(log, 'utf8'), '/bare')).toEqual([
      { folder: '/bare/run-0', calls: [['/bin/echo', '-i', 'file:/bare/run-0/original-0', "it's a='b c'"]] },
      { folder: '/bare/run-1', calls: [['/bin/echo', '-y', '/bare/run-1/out.mp4']] },
    ]);
  });

  it('creates a script that preserves arguments and stops at the first failure', () => {
    const out = join(folder, 'out');
    const write = (word: string) => ['sh', '-c', `printf %s "$1" >> ${out}`, 'x', word];
    const script = scriptOf([write("a 'quoted' $word"), ['false'], write('never')]);
    expect(() => execFileSync('sh', ['-c', script])).toThrow();
    expect(readFileSync(out, 'utf8')).toBe("a 'quoted' $word");
  });
});
