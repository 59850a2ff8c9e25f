/** What the test setup takes from Node; the console itself knows browsers only. */
declare module 'node:util' {
  export const TextDecoder: unknown;
  export const TextEncoder: unknown;
}
