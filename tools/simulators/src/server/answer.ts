/** What a handler answers. A `file` body is sent with range support by the server. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | FileBody;
}

export interface FileBody {
  path: string;
}

export function isFileBody(body: Answer['body']): body is FileBody {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body: JSON.stringify(value) };
}

export function html(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8', ...headers }, body };
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers }, body };
}

export function empty(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: '' };
}

export function redirect(status: 301 | 302 | 303, location: string): Answer {
  return html(status, `<html><body>You are being <a href="${location.replaceAll('&', '&amp;')}">redirected</a>.</body></html>`, {
    location,
  });
}

export function file(path: string, contentType: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: { 'content-type': contentType, ...headers }, body: { path } };
}

/** Thrown by a handler, deep in a rule, to answer at once. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}
