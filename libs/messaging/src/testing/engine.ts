import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `describe` where containers can be started, else `describe.skip` with the reason printed. On CI a missing engine is a failure. */
export const describeWithEngine = (suite: string): typeof describe | typeof describe.skip => {
  try {
    execFileSync('docker', ['info', '--format', '{{.ServerVersion}}'], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 15_000 });
    return describe;
  } catch (error) {
    if (process.env['CI'] === 'true') return describe;
    const words = (error as { stderr?: Buffer }).stderr?.toString().trim().split('\n')[0];
    process.stderr.write(`skipped: ${suite} (no container engine: ${words || '"docker info" does not answer'})\n`);
    return describe.skip;
  }
};

/** The image the whole product uses under this name in `docker/images.env`. */
export const imageNamed = (name: string): string => {
  const lines = readFileSync(join(__dirname, '../../../../docker/images.env'), 'utf8');
  const image = new RegExp(`^${name}=(.+)$`, 'm').exec(lines)?.[1]?.trim();
  if (!image) throw new Error(`docker/images.env names no ${name}`);
  return image;
};
