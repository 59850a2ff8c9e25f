import { spawn } from 'node:child_process';

/** Runs a tool to its end and returns what it printed; rejects with the last lines of its errors. */
export function runTool(tool: string, args: readonly string[], input?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let printed = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints = (complaints + chunk).slice(-2_000)));
    // A tool that ends before it has read everything is judged by its exit code, not by the broken pipe.
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(`${tool} ended with ${code}: ${complaints}`))));
    child.stdin.end(input);
  });
}
