/**
 * An address as its owner recognises it, and nobody else: `ad***n@example.com`. For places that are kept by others, such as the history
 * of a browser and the logs of proxies.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = [...email.slice(0, at)];
  const shown = name.length < 5 ? [name.slice(0, 1), []] : [name.slice(0, 2), name.slice(-1)];
  return `${shown.map((part) => part.join('')).join('***')}${email.slice(at)}`;
}
