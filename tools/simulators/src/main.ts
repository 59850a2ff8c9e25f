import { parseArgs } from 'node:util';
import { SYSTEMS } from './control/faults';
import { startSimulators } from './simulators';

/**
 * `node simulators.cjs --data-dir DIR --ffmpeg PATH [--port-base N] [--host A] [--public-host NAME] [--fetch-host NAME]…
 * [--redirect-uri URL]… [--flavour facebook|instagram] [--longest-video SECONDS] [--posts-of-kind N]`: prints one line of JSON when
 * all systems listen; SIGTERM and SIGINT stop it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string' },
      ffmpeg: { type: 'string', default: 'ffmpeg' },
      ffprobe: { type: 'string' },
      'port-base': { type: 'string' },
      host: { type: 'string' },
      'public-host': { type: 'string' },
      'fetch-host': { type: 'string', multiple: true },
      'redirect-uri': { type: 'string', multiple: true },
      flavour: { type: 'string', default: 'facebook' },
      'longest-video': { type: 'string' },
      'posts-of-kind': { type: 'string' },
    },
  });
  const dataDir = values['data-dir'];
  if (!dataDir) throw new Error('--data-dir is required');
  const base = values['port-base'] === undefined ? null : Number(values['port-base']);
  const simulators = await startSimulators({
    dataDir,
    ffmpegPath: values.ffmpeg,
    ffprobePath: values.ffprobe,
    ports: base === null ? {} : Object.fromEntries(['control', ...SYSTEMS].map((name, index) => [name, base + index])),
    host: values.host,
    publicHost: values['public-host'],
    fetchHosts: values['fetch-host'] ?? [],
    redirectUris: values['redirect-uri'] ?? [],
    flavour: values.flavour === 'instagram' ? 'instagram' : 'facebook',
    feedLimits: { longestVideo: numberOf(values['longest-video']), postsOfKind: numberOf(values['posts-of-kind']) },
  });
  const { urls, credentials, controlUrl, issuerUrl } = simulators;
  process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid, urls, credentials, controlUrl, issuerUrl })}\n`);
  const stop = (): void => void simulators.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

main().catch((error: unknown) => {
  process.stderr.write(`The simulators failed to start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
