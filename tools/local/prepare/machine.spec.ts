import { planInstall } from './install-programs.mjs';
import { isSupportedNode } from './command-line.mjs';
import { isInstalled } from './packages.mjs';

describe('isSupportedNode', () => {
  it.each(['v20.19.0', 'v20.20.2', 'v22.13.0', 'v24.11.0', 'v26.0.0'])('accepts %s', (version) =>
    expect(isSupportedNode(version)).toBe(true),
  );
  it.each(['v18.20.0', 'v20.18.3', 'v21.7.0', 'v22.12.0', 'v23.11.0', 'v24.10.0'])('refuses %s', (version) =>
    expect(isSupportedNode(version)).toBe(false),
  );
});

describe('isInstalled', () => {
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b-darwin': { version: '1.0.0', optional: true },
  };

  it('accepts missing programs of other platforms', () => {
    expect(isInstalled(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  it.each([
    ['one is missing', {}],
    ['one has another version', { 'node_modules/a': { version: '1.0.1' } }],
    ['an optional one has another version', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b-darwin': { version: '0.9.0' } }],
  ])('is false when %s', (_what, found) => expect(isInstalled(wanted, found)).toBe(false));
});

describe('planInstall', () => {
  const machine = (programs: string[], { root = true, sudo = false } = {}) => ({
    env: {},
    isRoot: root,
    hasProgram: (name: string) => programs.includes(name),
    sudoWithoutPassword: () => sudo,
  });

  it('updates the package lists first and never prompts', () => {
    const plan = planInstall('ffmpeg', machine(['apt-get']));
    expect(plan?.commands.map((command: string[]) => command.slice(0, 2))).toEqual([
      ['apt-get', 'update'],
      ['apt-get', 'install'],
    ]);
    expect(plan?.env).toMatchObject({ DEBIAN_FRONTEND: 'noninteractive' });
    expect(plan?.line).toBe('apt-get update && apt-get install -y --no-install-recommends ffmpeg');
  });

  it('uses sudo for a user only when it needs no password', () => {
    const allowed = planInstall('browser', machine(['dnf', 'sudo'], { root: false, sudo: true }));
    expect(allowed?.commands).toEqual([['sudo', '-n', 'env', 'dnf', 'install', '-y', '-q', 'chromium']]);
    const refused = planInstall('ffmpeg', machine(['apt-get', 'sudo'], { root: false }));
    expect(refused).toMatchObject({ allowed: false, line: expect.stringMatching(/^sudo apt-get update && sudo apt-get install/) });
  });

  it('never uses sudo with brew, and returns null without a package manager', () => {
    expect(planInstall('ffmpeg', machine(['brew'], { root: false }))).toMatchObject({ allowed: true, line: 'brew install ffmpeg' });
    expect(planInstall('ffmpeg', machine([]))).toBeNull();
  });
});
