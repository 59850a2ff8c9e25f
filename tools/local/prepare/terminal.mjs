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

/**
 * Asks for yes or no; Enter means yes, and an end of the input without an answer no.
 * @param {string} question
 * @param {{input: NodeJS.ReadableStream, output: NodeJS.WritableStream}} terminal
 */
export function ask(question, terminal = { input: process.stdin, output: process.stderr }) {
  const reader = createInterface(terminal);
  return new Promise((resolve) => {
    reader.question(`${question} [Y/n] `, (answer) => {
      // closing tells at once that there is no more input, so the answer comes first
      resolve(!/^n/i.test(answer.trim()));
      reader.close();
    });
    reader.on('close', () => resolve(false));
  });
}

/** What the operating system refuses, by its own word for it. */
const REFUSED = {
  EACCES: 'this account may not use it: give it the rights, or choose another place',
  EPERM: 'this account may not change it: give it the rights, or choose another place',
  EROFS: 'it lies on a disk that cannot be written: choose another place',
  ENOSPC: 'the disk is full: make room there, or choose another place',
  EDQUOT: 'the quota of this account is used up: make room there, or choose another place',
  ENOTDIR: 'a part of this path is a file and not a folder: choose another place',
  EISDIR: 'it is a folder and not a file: choose another name',
  EMFILE: 'too many files are open: raise the limit with ulimit -n',
};

/** The sentence for what went wrong; anything but a `PlainStop` and a refusal by the machine keeps its stack, because it is our mistake. */
export function sentenceOf(error) {
  if (error?.name === 'PlainStop') return error.message;
  const refused = REFUSED[error?.code];
  if (refused === undefined || error.syscall === undefined) return String(error?.stack ?? error);
  return `${error.path ?? 'A file'} cannot be used (${error.syscall}, ${error.code}); ${refused}.`;
}

/** Runs an entry to its exit code; what goes wrong is told in a sentence. */
export async function runEntry(entry) {
  try {
    const code = await entry();
    process.exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    process.exitCode = typeof error?.exitCode === 'number' ? error.exitCode : 1;
    say(sentenceOf(error));
  }
}
