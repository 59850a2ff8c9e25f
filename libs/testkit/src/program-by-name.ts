import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readProcessSettings } from '@autoposter/config';

const startedAt = performance.now();

/** Writes progress to standard error; standard output contains only the result. */
export function progress(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${text}\n`);
}

/** A new folder for one run; the caller removes it. */
export const temporaryFolder = (name: string): string =>
  mkdtempSync(path.join(readProcessSettings().temporaryFolder, `autoposter-${name}-`));

interface ProgramArguments {
  /** A whole number from 1, `null` where the option is absent. */
  number(name: string): number | null;
  /** `null` where the option is absent. */
  text(name: string): string | null;
  flag(name: string): boolean;
}

/**
 * `npm run KIND -- NAME [--NUMBER N] [--TEXT T] [--FLAG]`: runs the program of that name and exits with its code, 2 for an unknown name and 1 for an
 * uncaught error.
 */
export function runByName<Program>(
  kind: string,
  programs: Readonly<Record<string, Program>>,
  { numbers, texts = [], flags = [] }: { numbers: readonly string[]; texts?: readonly string[]; flags?: readonly string[] },
  run: (program: Program, name: string, args: ProgramArguments) => Promise<number>,
): void {
  const main = async (): Promise<number> => {
    const options = Object.fromEntries([
      ...[...numbers, ...texts].map((name) => [name, { type: 'string' as const }]),
      ...[...flags, 'yes'].map((name) => [name, { type: 'boolean' as const }]),
    ]);
    const { values: given, positionals } = parseArgs({ allowPositionals: true, options });
    const values: Record<string, unknown> = given;
    const [name = ''] = positionals;
    const program = programs[name];
    if (program === undefined) {
      const problem = name === '' ? `Missing ${kind} name` : `Unknown ${kind} "${name}"`;
      process.stderr.write(`${problem}; available: ${Object.keys(programs).join(', ')}.\n`);
      return 2;
    }
    return run(program, name, {
      number: (option) => wholeNumber(option, values[option]),
      text: (option) => (values[option] === undefined ? null : String(values[option])),
      flag: (option) => values[option] === true,
    });
  };
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`The ${kind} failed to run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
}

function wholeNumber(name: string, text: unknown): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/u.test(String(text))) throw new Error(`--${name} must be a whole number from 1`);
  return Number(text);
}
