import { spawnSync } from 'node:child_process';
import { onPath } from './programs.mjs';
import { ask, goesOnByItself, PlainStop, say } from './terminal.mjs';

/** How each package manager calls what we need, and what it is told. The first one found on the machine is used. */
export const MANAGERS = [
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

const CALLED = { ffmpeg: 'ffmpeg', browser: 'Chromium' };
const VARIABLE = { ffmpeg: 'FFMPEG_PATH', browser: 'CHROME_PATH' };

/**
 * What would be run on this machine to get a program.
 * @returns {{commands: string[][], env: object, line: string, allowed: boolean} | null} `null` where no known package manager is there
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
  // sudo drops the environment, so what the manager needs of it is set behind it
  const extra = Object.entries(manager.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const commands = needsSudo ? bare.map((command) => ['sudo', '-n', 'env', ...extra, ...command]) : bare;
  return { commands, env: { ...env, ...manager.env }, line, allowed: !needsSudo || sudoWithoutPassword() };
}

/**
 * Finds a program or gets it through the machine's package manager. Asks on a terminal; goes on by itself with `--yes`, in CI and
 * without a terminal. Where it may not or cannot, it stops before anything has started, with one line to copy.
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
  const name = CALLED[wanted];
  if (plan === null) {
    throw new PlainStop(`${name} is missing and no known package manager is here: install it, or name it in ${VARIABLE[wanted]}.`);
  }
  const byHand = `${name} is missing. Install it and start again:\n  ${plan.line}`;
  if (!plan.allowed) throw new PlainStop(byHand);
  if (!goesOnByItself(argv, env) && !(await ask(`${name} is missing. Install it now (${plan.line})?`))) throw new PlainStop(byHand);
  say(`Installing ${name}: ${plan.line}`);
  for (const [index, command] of plan.commands.entries()) {
    const trouble = runPatiently(command, plan.env);
    if (trouble === null) continue;
    if (index === plan.commands.length - 1) throw new PlainStop(`${trouble}\n${byHand}`);
    // one broken source of packages among others: what the machine knows already may do
    say(`${command.join(' ')} did not succeed, going on without it: ${trouble}`);
  }
  const installed = find(env);
  if (!installed) {
    throw new PlainStop(`${name} was installed but cannot be used (a snap does not count); name a working one in ${VARIABLE[wanted]}.`);
  }
  return installed;
}

/**
 * `apt-get update` does not wait for the lock of another apt by itself, so a held lock is tried again for five minutes.
 * @returns {string | null} its last words where it did not succeed
 */
function runPatiently([program, ...args], env) {
  const until = Date.now() + 300_000;
  for (;;) {
    const done = spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
    if (done.status === 0) return null;
    const words = (done.stderr ?? '').trim() || done.error?.message || `${program} ended with code ${done.status}`;
    if (!/could not get lock|unable to lock|resource temporarily unavailable/i.test(words) || Date.now() > until) {
      return words.split('\n').slice(-3).join('\n');
    }
    say('Another installation is running on this machine; waiting for it.');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
  }
}
