import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureProgram } from './install-programs.mjs';
import { findMediaTools } from './programs.mjs';

/** A machine whose whole PATH is one folder with a package manager of ours. */
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'install-'));
  program(
    'sudo',
    'shift; case "$1" in true) exit 0;; env) shift;; esac\nwhile case "$1" in *=*) true;; *) false;; esac; do shift; done\nexec "$@"',
  );
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function program(name: string, script: string): void {
  fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const INSTALL = ['ffmpeg', 'ffprobe'].map((name) => `printf '#!/bin/sh\\n' > "$D/${name}"; /bin/chmod +x "$D/${name}"`).join('; ');
const apt = (update: string, install: string): void =>
  program('apt-get', `D=${folder}; echo "$1" >> "$D/calls"; case "$1" in update) ${update};; install) ${install};; esac`);
const get = (): Promise<unknown> => ensureProgram('ffmpeg', findMediaTools, { argv: ['--yes'], env: { PATH: folder } });
const calls = (): string[] => fs.readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');

describe('getting ffmpeg through the package manager', () => {
  it('fetches it once, with a list of packages that is renewed before', async () => {
    apt('true', INSTALL);
    const tools = { ffmpeg: path.join(folder, 'ffmpeg'), ffprobe: path.join(folder, 'ffprobe') };
    expect(await get()).toEqual(tools);
    expect(await get()).toEqual(tools);
    expect(calls()).toEqual(['update', 'install']);
  });

  it('goes on where the list cannot be renewed', async () => {
    apt('echo "E: The repository does not have a Release file." >&2; exit 100', INSTALL);
    expect(await get()).toMatchObject({ ffmpeg: path.join(folder, 'ffmpeg') });
  });

  it('says what to do where it is not to be had', async () => {
    apt('true', 'echo "E: Unable to locate package ffmpeg" >&2; exit 100');
    await expect(get()).rejects.toMatchObject({
      name: 'PlainStop',
      message: expect.stringMatching(
        /^E: Unable to locate package ffmpeg\nffmpeg is missing\. Install it and start again:\n {2}.*apt-get install -y/u,
      ),
    });
  });

  it('does not take a package without the program for one', async () => {
    apt('true', 'true');
    await expect(get()).rejects.toThrow('was installed but cannot be used');
  });

  it('says so where no package manager is', async () => {
    await expect(get()).rejects.toThrow('ffmpeg is missing and no known package manager is here: install it, or name it in FFMPEG_PATH.');
  });
});
