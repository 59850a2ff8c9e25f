import { createInterface } from 'node:readline';

/** A sentence for the person at the machine. Goes to stderr where stdout belongs to a result. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** Ends the program with one sentence and no stack: what went wrong and what to do about it. */
export class PlainStop extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'PlainStop';
    this.exitCode = exitCode;
  }
}

/** Whether to go on without asking: told to (`--yes`), in CI, or nobody is there to answer. */
export const goesOnByItself = (argv, env) => argv.includes('--yes') || env.CI === 'true' || !process.stdin.isTTY;

/** Asks for yes or no; Enter means yes. */
export function ask(question) {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    reader.question(`${question} [Y/n] `, (answer) => {
      reader.close();
      resolve(!/^n/i.test(answer.trim()));
    });
    reader.on('close', () => resolve(false));
  });
}

/** Runs an entry: a `PlainStop` becomes its sentence, anything else keeps its stack because it is our mistake. */
export async function runEntry(entry) {
  try {
    const code = await entry();
    process.exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    process.exitCode = typeof error?.exitCode === 'number' ? error.exitCode : 1;
    say(error?.name === 'PlainStop' ? error.message : String(error?.stack ?? error));
  }
}
