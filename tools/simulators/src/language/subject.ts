import { createHash } from 'node:crypto';

/** What a request is about, as far as the answer depends on it. */
export interface Subject {
  title: string;
  /** Changes with text and pictures, so that other frames bring other words. */
  seed: string;
}

/** The post's title stands after a word like "Title:" or as a JSON field; else the prompt's last line serves. */
export function subjectOf(texts: readonly string[], media: readonly string[]): Subject {
  const prompt = texts.join('\n');
  const named = jsonTitle(prompt) ?? /\btitle\b["']?\s*[:=]\s*["']?([^\n"]{2,300})/i.exec(prompt)?.[1];
  const last = prompt.trim().split('\n').at(-1) ?? '';
  const hash = createHash('sha256').update(prompt);
  media.forEach((data) => hash.update(data));
  return { title: (named ?? last).trim().slice(0, 120) || 'An untitled post', seed: hash.digest('hex') };
}

/** A model reads JSON as what it stands for: `\u003c` is a `<`. */
function jsonTitle(prompt: string): string | undefined {
  const text = /"title"\s*:\s*("(?:[^"\\]|\\.){2,600}")/i.exec(prompt)?.[1];
  try {
    return text === undefined ? undefined : String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** About four characters to a token, as the usual rule of thumb has it. */
export function textTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}
