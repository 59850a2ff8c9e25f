import type { Offence } from './offence';
import { runTool } from './outside-tool';

const ESLINT = 'node_modules/eslint/bin/eslint.js';
const NX = 'node_modules/nx/dist/bin/nx.js';

interface LintResult {
  filePath: string;
  messages: { ruleId: string | null; message: string; line?: number }[];
}

/** The rule about directions reads the project graph from Nx's cache and stays silent without one, so the graph is made first. */
export async function refreshProjectGraph(root: string): Promise<void> {
  const { code, output } = await runTool(root, NX, ['graph', '--file=.nx/graph.json']);
  if (code !== 0) throw new Error(`The project graph cannot be made:\n${output}`);
}

export const lint = {
  name: 'lint',
  async run(root: string): Promise<Offence[]> {
    await refreshProjectGraph(root);
    return readResults(root, await runTool(root, ESLINT, ['--format', 'json', '.']));
  },
};

/** Lints a text as if it stood in that file. */
export const lintText = async (root: string, file: string, text: string): Promise<Offence[]> =>
  readResults(root, await runTool(root, ESLINT, ['--format', 'json', '--stdin', '--stdin-filename', file], text));

function readResults(root: string, { code, output }: { code: number; output: string }): Offence[] {
  const start = output.indexOf('[{');
  if (code > 1 || start === -1) throw new Error(`ESLint did not run:\n${output}`);
  if (output.includes('No cached ProjectGraph')) throw new Error('ESLint ran without the project graph, so directions were not checked.');
  const results = JSON.parse(output.slice(start, output.lastIndexOf(']') + 1)) as LintResult[];
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message, line }) => ({
      file: `${filePath.replace(`${root}/`, '')}:${line ?? 1}`,
      rule: ruleId ?? 'lint',
      fix: message.split('\n')[0] ?? message,
    })),
  );
}
