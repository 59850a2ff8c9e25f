const names = new Map<string, string>();

/** Works without a secure context, too: an installation in a private network may have no certificate. */
function newName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The name under which the server does a call once. The same call keeps its name until it was done, so that a second click, or another
 * try after no answer came, gets the first one's answer instead of doing it again.
 */
export function nameOfCall(signature: string): string {
  const known = names.get(signature);
  if (known !== undefined) return known;
  const name = newName();
  names.set(signature, name);
  return name;
}

/** It was done: what is asked for from now on is meant anew. */
export const callDone = (signature: string): void => void names.delete(signature);
