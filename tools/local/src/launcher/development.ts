import path from 'node:path';
import type { Service } from '@autoposter/config';
import { type ProcessGroup, RANK } from '../processes/process-group';
import type { ProcessSpec, SupervisedProcess } from '../processes/supervised-process';
import type { Environment } from './options';

/** Ports of Node's debugger in `npm run dev`; `.vscode/launch.json` attaches to them. */
export const INSPECT_PORTS: Record<Service, number> = {
  gateway: 9229,
  downloader: 9230,
  'dmca-worker': 9231,
  'ai-worker': 9232,
  'instagram-poster': 9233,
};

/** Serves the console with hot reload on the public port and passes the gateway's paths to the gateway, so that both have one origin. */
export function startVite(options: {
  root: string;
  env: Environment;
  port: number;
  gatewayPort: number;
  group: ProcessGroup;
}): SupervisedProcess {
  const { root, env, port, gatewayPort, group } = options;
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  return group.start(RANK.development, {
    ...developmentProcess('vite', [vite, '--port', String(port), '--strictPort', '--clearScreen', 'false']),
    cwd: path.join(root, 'apps/console'),
    env: { ...env, GATEWAY_URL: `http://127.0.0.1:${gatewayPort}` },
  });
}

/** Bundles services again when their sources change and restarts the ones whose bundle differs. */
export function watchSources(options: {
  root: string;
  env: Environment;
  services: readonly { name: Service; process: SupervisedProcess }[];
  group: ProcessGroup;
  print: (text: string) => void;
}): void {
  const { root, env, services, group, print } = options;
  const places = services.map(({ name }) => `apps/${name}`);
  const watcher = group.start(RANK.development, {
    ...developmentProcess('watch', [path.join(root, 'tools/local/bundle.mjs'), '--watch', ...places]),
    cwd: root,
    env,
  });
  watcher.onLine = (line) => {
    const { changed, error } = parse(line);
    if (error !== undefined) print(error);
    const service = services.find(({ name }) => changed === `apps/${name}`);
    if (service === undefined) return;
    print(`${service.name} changed and restarts.`);
    void service.process.restart();
  };
}

const developmentProcess = (name: string, args: string[]): Omit<ProcessSpec, 'logFolder' | 'cwd' | 'env'> => ({
  name,
  command: process.execPath,
  args,
  stopSignal: 'SIGTERM',
  graceMs: 2_000,
  exitsWithLauncher: false,
});

/** A line of the watching bundler: `{"changed":"apps/gateway"}` or `{"error":"…"}`. */
function parse(line: string): { changed?: string; error?: string } {
  try {
    return JSON.parse(line) as { changed?: string; error?: string };
  } catch {
    return {};
  }
}
