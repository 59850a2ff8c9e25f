export interface ProcessIdentity {
  pid: number;
  started: string | null;
}
export function takeLock(file: string): (() => void) | { pid: number };
export function waitForLock(file: string, onWait: (pid: number) => void): Promise<() => void>;
export function isAlive(pid: number): boolean;
export function isSameProcess(identity: ProcessIdentity): boolean;
export function startOf(pid: number): string | null;
