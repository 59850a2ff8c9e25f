import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulators, type RunningSimulators, type SimulatorOptions } from '../simulators';

/** Simulators for one spec file, on free ports and in a folder that goes away with them. */
export async function runSimulators(options: Partial<SimulatorOptions> = {}): Promise<RunningSimulators & { dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simulators-'));
  const running = await startSimulators({ dataDir, ffmpegPath: 'ffmpeg', ...options });
  const close = async (): Promise<void> => {
    await running.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...running, dataDir, close };
}

export async function control(running: RunningSimulators, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Reply> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return reply(await fetch(`${running.controlUrl}/control/${path}`, init));
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or `undefined` when it is no JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of outside APIs are looked into freely in specs
  json: any;
}

export async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}
