import { spawn } from 'node:child_process';

/** A breach of a rule: where, which rule, and how to fix it. */
export interface Violation {
  /** From the root of the workspace, with `:line` where a line is known. */
  file: string;
  rule: string;
  fix: string;
}

export interface Check {
  name: string;
  run(root: string): Promise<Violation[]>;
}

/** Runs a Node program of node_modules and collects its output. */
export function runTool(root: string, program: string, args: readonly string[], input = ''): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=4096', program, ...args], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
    child.stdin.end(input);
  });
}
