import { createHash } from 'node:crypto';

/** The inputs that determine a generated answer. */
export interface Subject {
  title: string;
  /** Depends on text and media, so that different frames produce different texts. */
  seed: string;
}

/** The title is a JSON field or follows "Title:"; otherwise the last line of the prompt is used. */
export function subjectOf(texts: readonly string[], media: readonly string[]): Subject {
  const prompt = texts.join('\n');
  const named = jsonTitle(prompt) ?? /\btitle\b["']?\s*[:=]\s*["']?([^\n"]{2,300})/i.exec(prompt)?.[1];
  const last = prompt.trim().split('\n').at(-1) ?? '';
  const hash = createHash('sha256').update(prompt);
  media.forEach((data) => hash.update(data));
  return { title: (named ?? last).trim().slice(0, 120) || 'An untitled post', seed: hash.digest('hex') };
}

/** Decodes JSON escapes as a model would: `\u003c` is a `<`. */
function jsonTitle(prompt: string): string | undefined {
  const text = /"title"\s*:\s*("(?:[^"\\]|\\.){2,600}")/i.exec(prompt)?.[1];
  try {
    return text === undefined ? undefined : String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Approximation: four characters per token. */
export function textTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}
