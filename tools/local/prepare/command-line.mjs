import { createInterface } from 'node:readline';

/** Prints a message for the person at the terminal. Uses stderr, because stdout may carry a result. */
export const print = (text) => process.stderr.write(`${text}\n`);

/** Ends the command with a message and without a stack: what went wrong and what to do. */
export class CommandError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Whether to continue without a question: with `--yes`, in CI, and without a terminal. */
export const isUnattended = (argv, env) => argv.includes('--yes') || env.CI === 'true' || !process.stdin.isTTY;

/**
 * Asks a yes-or-no question. Enter means yes, the end of the input means no.
 * @param {string} question
 * @param {{input: NodeJS.ReadableStream, output: NodeJS.WritableStream}} terminal
 */
export function confirm(question, terminal = { input: process.stdin, output: process.stderr }) {
  const reader = createInterface(terminal);
  return new Promise((resolve) => {
    reader.question(`${question} [Y/n] `, (answer) => {
      // close() emits the event below, so the answer is resolved first
      resolve(!/^n/i.test(answer.trim()));
      reader.close();
    });
    reader.on('close', () => resolve(false));
  });
}

/** Refusals of the operating system by error code. */
const REFUSALS = {
  EACCES: 'this account may not use it: grant the permission, or choose another place',
  EPERM: 'this account may not change it: grant the permission, or choose another place',
  EROFS: 'its file system is read-only: choose another place',
  ENOSPC: 'the disk is full: free some space, or choose another place',
  EDQUOT: 'the disk quota of this account is used up: free some space, or choose another place',
  ENOTDIR: 'a part of this path is a file and not a folder: choose another place',
  EISDIR: 'it is a folder and not a file: choose another name',
  EMFILE: 'too many files are open: raise the limit with ulimit -n',
};

const FOR_PEOPLE = ['CommandError', 'EmbeddedPostgresError'];

/** The message for an error. Only an error with a message for people and a refusal of the operating system hide the stack; anything else is a defect. */
export function messageOf(error) {
  if (FOR_PEOPLE.includes(error?.name)) return error.message;
  const refusal = REFUSALS[error?.code];
  if (refusal === undefined || error.syscall === undefined) return String(error?.stack ?? error);
  return `${error.path ?? 'A file'} cannot be used (${error.syscall}, ${error.code}); ${refusal}.`;
}

/** Runs a command and sets the exit code; prints the message of an error. */
export async function runCommand(command) {
  try {
    const code = await command();
    process.exitCode = typeof code === 'number' ? code : 0;
  } catch (error) {
    process.exitCode = typeof error?.exitCode === 'number' ? error.exitCode : 1;
    print(messageOf(error));
  }
}

/** The ranges of `engines.node` in package.json: each major version with its first supported minor version. */
const FIRST_MINOR = { 20: 19, 22: 13, 24: 11 };

export function isSupportedNode(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  if (major > 24) return true;
  return FIRST_MINOR[major] !== undefined && minor >= FIRST_MINOR[major];
}

export function checkNode(version = process.version) {
  if (!isSupportedNode(version)) {
    throw new CommandError(`Node ${version} is not supported: install Node 22 or 24 (20.19 or newer also works) and try again.`);
  }
}
