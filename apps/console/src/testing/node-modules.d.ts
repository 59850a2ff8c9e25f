/** Node modules that tests use. @types/node is excluded, because the console runs in browsers only. */
declare module 'node:util' {
  export const TextDecoder: unknown;
  export const TextEncoder: unknown;
}

declare module 'node:fs' {
  export function readdirSync(folder: string, options: { recursive: boolean }): string[];
  export function readFileSync(file: string, encoding: 'utf8'): string;
}

declare const __dirname: string;
