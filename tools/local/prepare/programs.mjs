import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-line.mjs';

const BROWSER_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge-stable', 'microsoft-edge'];
const MAC_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** First hit of a program name in the folders of PATH, as an absolute path. */
export function onPath(name, env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const names = process.platform === 'win32' ? [`${name}.exe`, name] : [name];
  for (const folder of folders) {
    for (const candidate of names) {
      const file = path.join(folder, candidate);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

/** ffmpeg and ffprobe by `FFMPEG_PATH`/`FFPROBE_PATH`, else from PATH; `null` where either is missing. */
export function findMediaTools(env) {
  const ffmpeg = named('FFMPEG_PATH', env) ?? onPath('ffmpeg', env);
  const beside = ffmpeg && path.join(path.dirname(ffmpeg), process.platform === 'win32' ? 'ffprobe.exe' : 'ffprobe');
  const ffprobe = named('FFPROBE_PATH', env) ?? onPath('ffprobe', env) ?? (beside && isExecutable(beside) ? beside : null);
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : null;
}

/** A Chromium, Chrome or Edge that starts. Ubuntu's package only installs a snap, which may not read the workspace, so it does not count. */
export function findBrowser(env) {
  const configured = named('CHROME_PATH', env);
  if (configured) return configured;
  const candidates = [...BROWSER_NAMES.map((name) => onPath(name, env)), ...(process.platform === 'darwin' ? MAC_BROWSERS : [])];
  return candidates.find((file) => file && isExecutable(file) && isRealBrowser(file, env)) ?? null;
}

function isRealBrowser(file, env) {
  if (fs.realpathSync(file).includes('/snap')) return false;
  const version = spawnSync(file, ['--version', '--no-sandbox'], { env, encoding: 'utf8', timeout: 20_000 });
  return version.status === 0 && /chrom|edge/i.test(version.stdout);
}

function named(variable, env) {
  const file = env[variable];
  if (!file) return null;
  if (!isExecutable(file)) throw new CommandError(`${variable} names ${file}, which is not a program that can be started.`);
  return path.resolve(file);
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
