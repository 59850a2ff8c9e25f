import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { checkoutRoot } from '../checkout';

/** Why no container can be started, in one sentence; `null` where one can. Asked once per process. */
let reason: string | null | undefined;

export function noEngineReason(): string | null {
  if (reason !== undefined) return reason;
  try {
    execFileSync('docker', ['info', '--format', '{{.ServerVersion}}'], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 15_000 });
    reason = null;
  } catch (error) {
    const words = (error as { stderr?: Buffer }).stderr?.toString().trim().split('\n')[0];
    reason = `no container engine: ${words || '"docker info" does not answer'}`;
  }
  return reason;
}

/** A suite that needs containers. Without an engine it is skipped and named; with CI=true that is a failure. */
export function describeWithContainers(name: string, suite: () => void): void {
  const missing = noEngineReason();
  if (missing === null) {
    describe(name, suite);
    return;
  }
  if (readProcessSettings().ci) {
    describe(name, () => {
      it('needs a container engine', () => {
        throw new Error(missing);
      });
    });
    return;
  }
  process.stderr.write(`skipped: ${name} (${missing})\n`);
  describe.skip(name, suite);
}

/** The image that the whole product uses under this name of `docker/images.env`. */
export function imageNamed(name: 'POSTGRES_IMAGE' | 'KAFKA_IMAGE' | 'MINIO_IMAGE'): string {
  const lines = readFileSync(join(checkoutRoot(), 'docker/images.env'), 'utf8');
  const image = new RegExp(`^${name}=(.+)$`, 'mu').exec(lines)?.[1]?.trim();
  if (!image) throw new Error(`docker/images.env names no ${name}`);
  return image;
}
