import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { inRoot, ROOT } from './paths.mjs';
import { waitForLock } from './lock-file.mjs';
import { CommandError, print } from './command-line.mjs';

const LOCK_FILE = inRoot('package-lock.json');
const INSTALLED = inRoot('node_modules/.package-lock.json');
const STAMP = inRoot('node_modules/.autoposter-installed');

/** Installs the packages of the lock file, once, however many commands start at the same time. */
export async function ensurePackages(env) {
  if (arePackagesFresh()) return;
  const release = await waitForLock(inRoot('.autoposter/install.lock'), (pid) => {
    print(`Waiting for process ${pid}, which is installing the packages.`);
  });
  try {
    if (arePackagesFresh()) return;
    print('Installing the packages (npm ci); the first time takes a few minutes.');
    await npmCi(env);
    fs.writeFileSync(STAMP, hashOfLock());
    activateHooks();
  } finally {
    release();
  }
}

/** The commit hook lies in the repository; an existing hook path stays. */
function activateHooks() {
  if (spawnSync('git', ['config', 'core.hooksPath'], { cwd: ROOT }).status === 1) {
    spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: ROOT });
  }
}

/** True if the installed packages match package-lock.json. The stamp avoids comparing 1,400 entries at every start. */
function arePackagesFresh() {
  if (!fs.existsSync(INSTALLED)) return false;
  const hash = hashOfLock();
  if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === hash) return true;
  if (!isInstalled(readPackages(LOCK_FILE), readPackages(INSTALLED))) return false;
  fs.writeFileSync(STAMP, hash);
  return true;
}

/** A missing optional entry belongs to another platform, so only a different version of it counts. */
export function isInstalled(wanted, found) {
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '' || entry.link) return true;
    const installed = found[place];
    if (installed === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return installed.version === entry.version;
  });
}

const readPackages = (file) => JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {};
const hashOfLock = () => createHash('sha256').update(fs.readFileSync(LOCK_FILE)).digest('hex');

/** No package needs its install script; newer npm versions block them. */
function npmCi(env) {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...env, NODE_ENV: 'development' },
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    child.on('error', () => reject(new CommandError('npm was not found: it comes with Node, install both together and try again.')));
    child.on('exit', (code) =>
      code === 0
        ? resolve(undefined)
        : reject(new CommandError('npm ci failed (see its message above); check the network or the registry and start again.')),
    );
  });
}
