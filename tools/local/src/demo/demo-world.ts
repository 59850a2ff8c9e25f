import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Outside, RANK, type World, type WorldContext } from '../launcher/bring-up';
import type { Environment } from '../launcher/options';
import { runFolder } from '../launcher/run-state';
import { nodeProcess } from '../launcher/services';
import { filled, refuseWrong } from '../launcher/wrong-variables';
import { PlainStop } from '../plain-stop';
import type { SupervisedProcess } from '../processes/supervised-process';

/** The line with which the simulators say that they listen. */
const readySchema = z.object({
  ready: z.literal(true),
  urls: z.record(z.string(), z.string()),
  credentials: z.record(z.string(), z.string()),
  controlUrl: z.string(),
});
type Ready = z.infer<typeof readySchema>;

const READY_WITHIN_MS = 30_000;

/** What the demo says itself, of the outside systems and of its own place: what the environment says of it counts for nothing. */
const PUT_ASIDE =
  /^((REDDIT|INSTAGRAM|GEMINI|GROQ|GOOGLE|OIDC)_.*|NODE_ENV|PUBLIC_URL|CDN_BASE_URL|METRICS_PORT|DOWNLOAD_EXTRA_ORIGINS|SCHEDULERS_START|ALERT_WEBHOOK_URL)$/u;

const kept = (env: Environment): Environment => Object.fromEntries(Object.entries(filled(env)).filter(([name]) => !PUT_ASIDE.test(name)));

/** Everything outside is simulated; whatever the environment says about real systems is put aside. */
export const demoWorld = (): World => ({
  // where bus, files and database are may be said by the environment
  check: (env) =>
    refuseWrong(kept(env), ['dmca-worker'], {
      of: 'the environment',
      advice: 'Put them right or unset them and start again; the demo needs none of them.',
    }),
  start: startSimulators,
  seeds: true,
  welcome: (address, env) =>
    [
      `Autoposter is running at ${address}`,
      `  Sign in: press "Sign in with Google" and choose ${env.ADMIN_EMAILS} (the page is a simulated one, there is no password).`,
      '  After the first start the first reel is posted within a minute. Nothing leaves this machine. Stop with Ctrl-C.',
    ].join('\n'),
  mayMove: true,
});

async function startSimulators(context: WorldContext): Promise<Outside> {
  const { root, dataDir, env, ports, group } = context;
  const program = nodeProcess(root, 'simulators', 'tools/simulators', env);
  const settings = {
    'data-dir': path.join(dataDir, 'simulators'),
    ffmpeg: env.FFMPEG_PATH,
    ffprobe: env.FFPROBE_PATH,
    'port-base': ports.simulators,
    'redirect-uri': `http://127.0.0.1:${ports.gateway}/api/auth/google/callback`,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => (value ? [`--${name}`, String(value)] : []));
  const simulators = group.start(RANK.outside, { ...program, args: [...program.args, ...args], graceMs: 5_000 });
  const { urls, credentials, controlUrl } = await whenReady(simulators);
  return {
    addresses: { ...urls, control: controlUrl },
    env: {
      ...urls,
      ...credentials,
      NODE_ENV: 'development',
      DOWNLOAD_EXTRA_ORIGINS: urls.MEDIA_ORIGIN,
      JWT_SECRET: keptSecret(path.join(runFolder(dataDir), 'jwt-secret')),
      SCHEDULERS_START: 'true',
      CONTAINER_POLL_SECONDS: env.CONTAINER_POLL_SECONDS || '2',
      // the simulated Instagram fetches files as the real one does, and this machine is all of its internet
      CDN_BASE_URL: `http://127.0.0.1:${ports.gateway}`,
      ALERT_WEBHOOK_URL: '',
      OIDC_ISSUER_URL: '',
    },
  };
}

function whenReady(simulators: SupervisedProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new PlainStop(`The simulators did not start:\n${simulators.lastLines.trim()}`)), READY_WITHIN_MS);
    // nobody waits for it any more where the run is stopped meanwhile
    late.unref();
    let text = '';
    simulators.onOutput = (more) => {
      text += more;
      for (const line of text.split('\n').slice(0, -1)) {
        const ready = parseReady(line);
        if (ready === null) continue;
        clearTimeout(late);
        simulators.onOutput = null;
        resolve(ready);
        return;
      }
    };
  });
}

function parseReady(line: string): Ready | null {
  try {
    return readySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Kept for the next start, so that nobody is signed out by it. */
function keptSecret(file: string): string {
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(36).toString('base64url'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8');
}
