import { spawnSync } from 'node:child_process';
import { runTool, type Violation } from './check';

const COMMITLINT = 'node_modules/@commitlint/cli/cli.js';
/** Older commits were checked when they were new. */
const CHECKED_COMMITS = 50;

/** The messages of the newest commits, for those that were made without the git hook. */
export const commits = {
  name: 'commits',
  async run(root: string): Promise<Violation[]> {
    const { status, stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error('git does not count the commits.');
    const depth = Math.min(CHECKED_COMMITS, Number(stdout) - 1);
    if (depth < 1) return [];
    const { code, output } = await runTool(root, COMMITLINT, ['--from', `HEAD~${depth}`, '--to', 'HEAD', '--color', 'false']);
    return code === 0 ? [] : [{ file: 'git log', rule: output.trim(), fix: 'Write type(scope): imperative summary.' }];
  },
};
