import { spawnSync } from 'node:child_process';
import { onPath } from './programs.mjs';
import { CommandError, confirm, isUnattended, print } from './command-line.mjs';

/** The package names and arguments of each package manager. The first one on the machine is used. */
const MANAGERS = [
  {
    program: 'apt-get',
    needsRoot: true,
    before: ['update', '-qq'],
    install: ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'],
    env: { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a' },
    names: { ffmpeg: ['ffmpeg'], browser: ['chromium', 'fonts-liberation'] },
  },
  { program: 'dnf', needsRoot: true, install: ['install', '-y', '-q'], names: { ffmpeg: ['ffmpeg-free'], browser: ['chromium'] } },
  { program: 'apk', needsRoot: true, install: ['add', '--quiet'], names: { ffmpeg: ['ffmpeg'], browser: ['chromium', 'ttf-liberation'] } },
  { program: 'brew', needsRoot: false, install: ['install', '--quiet'], names: { ffmpeg: ['ffmpeg'], browser: ['--cask', 'chromium'] } },
];

const DISPLAY_NAME = { ffmpeg: 'ffmpeg', browser: 'Chromium' };
const VARIABLE = { ffmpeg: 'FFMPEG_PATH', browser: 'CHROME_PATH' };

/**
 * The commands that install a program on this machine.
 * @returns {{commands: string[][], env: object, line: string, allowed: boolean} | null} `null` without a known package manager
 */
export function planInstall(wanted, { env, isRoot, hasProgram, sudoWithoutPassword }) {
  const manager = MANAGERS.find(({ program }) => hasProgram(program));
  if (manager === undefined) return null;
  const bare = [manager.before, [...manager.install, ...manager.names[wanted]]].filter(Boolean).map((rest) => [manager.program, ...rest]);
  const needsSudo = manager.needsRoot && !isRoot;
  const quiet = new Set(['-qq', '-q', '--quiet', '-o', 'DPkg::Lock::Timeout=300']);
  const line = bare
    .map((command) => [...(needsSudo ? ['sudo'] : []), ...command.filter((word) => !quiet.has(word))].join(' '))
    .join(' && ');
  // sudo drops the environment, so the manager's variables are set after it
  const extra = Object.entries(manager.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const commands = needsSudo ? bare.map((command) => ['sudo', '-n', 'env', ...extra, ...command]) : bare;
  return { commands, env: { ...env, ...manager.env }, line, allowed: !needsSudo || sudoWithoutPassword() };
}

/**
 * Finds a program or installs it through the machine's package manager. Asks on a terminal; installs without a question with `--yes`, in
 * CI and without a terminal. Where it may not or cannot, it throws before anything has started, with a command to copy.
 */
export async function ensureProgram(wanted, find, { argv, env }) {
  const found = find(env);
  if (found) return found;
  const plan = planInstall(wanted, {
    env,
    isRoot: process.getuid?.() === 0,
    hasProgram: (name) => onPath(name, env) !== null,
    sudoWithoutPassword: () => onPath('sudo', env) !== null && spawnSync('sudo', ['-n', 'true'], { env }).status === 0,
  });
  const name = DISPLAY_NAME[wanted];
  if (plan === null) {
    throw new CommandError(
      `${name} is missing and no known package manager exists on this machine: install it, or set ${VARIABLE[wanted]}.`,
    );
  }
  const byHand = `${name} is missing. Install it and start again:\n  ${plan.line}`;
  if (!plan.allowed) throw new CommandError(byHand);
  if (!isUnattended(argv, env) && !(await confirm(`${name} is missing. Install it now (${plan.line})?`))) throw new CommandError(byHand);
  print(`Installing ${name}: ${plan.line}`);
  for (const [index, command] of plan.commands.entries()) {
    const problem = runWithRetry(command, plan.env);
    if (problem === null) continue;
    if (index === plan.commands.length - 1) throw new CommandError(`${problem}\n${byHand}`);
    // one broken package source among others: the known package lists may suffice
    print(`${command.join(' ')} failed and is skipped: ${problem}`);
  }
  const installed = find(env);
  if (!installed) {
    throw new CommandError(`${name} was installed but cannot be used (a snap does not count); set ${VARIABLE[wanted]} to a working one.`);
  }
  return installed;
}

/**
 * `apt-get update` does not wait for the lock of another apt, so a held lock is retried for five minutes.
 * @returns {string | null} the end of its error output, `null` on success
 */
function runWithRetry([program, ...args], env) {
  const until = Date.now() + 300_000;
  for (;;) {
    const done = spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
    if (done.status === 0) return null;
    const words = (done.stderr ?? '').trim() || done.error?.message || `${program} ended with code ${done.status}`;
    if (!/could not get lock|unable to lock|resource temporarily unavailable/i.test(words) || Date.now() > until) {
      return words.split('\n').slice(-3).join('\n');
    }
    print('Another installation is running on this machine; waiting for it.');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
  }
}
