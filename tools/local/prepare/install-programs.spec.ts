import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureProgram } from './install-programs.mjs';
import { findMediaTools } from './programs.mjs';

/** A machine whose PATH is one folder with a fake package manager. */
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
const install = (): Promise<unknown> => ensureProgram('ffmpeg', findMediaTools, { argv: ['--yes'], env: { PATH: folder } });
const calls = (): string[] => fs.readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');

describe('ensureProgram', () => {
  it('installs it once, after an update of the package lists', async () => {
    apt('true', INSTALL);
    const tools = { ffmpeg: path.join(folder, 'ffmpeg'), ffprobe: path.join(folder, 'ffprobe') };
    expect(await install()).toEqual(tools);
    expect(await install()).toEqual(tools);
    expect(calls()).toEqual(['update', 'install']);
  });

  it('installs it when the update fails', async () => {
    apt('echo "E: The repository does not have a Release file." >&2; exit 100', INSTALL);
    expect(await install()).toMatchObject({ ffmpeg: path.join(folder, 'ffmpeg') });
  });

  it('reports the command to copy when the installation fails', async () => {
    apt('true', 'echo "E: Unable to locate package ffmpeg" >&2; exit 100');
    await expect(install()).rejects.toMatchObject({
      name: 'CommandError',
      message: expect.stringMatching(
        /^E: Unable to locate package ffmpeg\nffmpeg is missing\. Install it and start again:\n {2}.*apt-get install -y/u,
      ),
    });
  });

  it('refuses a package without the program', async () => {
    apt('true', 'true');
    await expect(install()).rejects.toThrow('was installed but cannot be used');
  });

  it('reports a missing package manager', async () => {
    await expect(install()).rejects.toThrow(
      'ffmpeg is missing and no known package manager exists on this machine: install it, or set FFMPEG_PATH.',
    );
  });
});
