import type { Offence } from './offence';
import { runTool } from './outside-tool';

const PLACES = ['apps', 'libs', 'tools', 'docker', 'charts', 'k8s', 'docs', '*.{json,mjs,md,yaml,yml}'];

export const format = {
  name: 'format',
  async run(root: string): Promise<Offence[]> {
    const args = ['--list-different', '--ignore-unknown', '--no-error-on-unmatched-pattern', ...PLACES];
    const { output } = await runTool(root, 'node_modules/prettier/bin/prettier.cjs', args);
    return output
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((file) => ({ file, rule: 'formatted by prettier', fix: `npx prettier --write ${file}` }));
  },
};
