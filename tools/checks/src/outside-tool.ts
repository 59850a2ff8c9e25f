import { spawn } from 'node:child_process';

export interface ToolResult {
  code: number;
  output: string;
}

/** Runs a Node program of node_modules and collects what it prints. */
export function runTool(root: string, program: string, args: readonly string[], input?: string): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=4096', program, ...args], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
    child.stdin.end(input ?? '');
  });
}
