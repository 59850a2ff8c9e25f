import path from 'node:path';
import type { ProcessSpec } from '../processes/supervised-process';
import type { Environment } from './options';

export const WORKERS = ['downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'] as const;

/** How a program of ours, bundled into `dist/<place>/main.cjs`, is run as a process. */
export function nodeProcess(root: string, name: string, place: string, env: Environment): Omit<ProcessSpec, 'logFolder'> {
  return {
    name,
    command: process.execPath,
    args: [
      '--enable-source-maps',
      '--require',
      path.join(root, 'tools/local/leave-with-parent.cjs'),
      path.join(root, 'dist', place, 'main.cjs'),
    ],
    env,
    cwd: root,
    stopSignal: 'SIGTERM',
    graceMs: 20_000,
    leavesWithUs: true,
  };
}
