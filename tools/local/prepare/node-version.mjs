import { CommandError } from './command-line.mjs';

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
