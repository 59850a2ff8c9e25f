import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SERVICES } from '@autoposter/config';
import { z } from 'zod';
import type { ExternalSystems, LaunchProfile, ProfileContext } from '../launcher/bring-up';
import { INSPECT_PORTS } from '../launcher/development';
import type { Environment } from '../launcher/options';
import { runFolder } from '../launcher/run-state';
import { nodeProcess, RANK } from '../processes/process-group';
import type { SupervisedProcess } from '../processes/supervised-process';
import { refuseWrongVariables, withoutEmpty } from './check-variables';

/** The line that the simulators print when they listen. */
const readySchema = z.object({
  ready: z.literal(true),
  urls: z.record(z.string(), z.string()),
  credentials: z.record(z.string(), z.string()),
  controlUrl: z.string(),
});
type Ready = z.infer<typeof readySchema>;

/** Variables that the demo sets itself; their values in the environment are ignored. */
const IGNORED =
  /^((REDDIT|INSTAGRAM|GEMINI|GROQ|GOOGLE|OIDC)_.*|NODE_ENV|PUBLIC_URL|CDN_BASE_URL|METRICS_PORT|DOWNLOAD_EXTRA_ORIGINS|SCHEDULERS_START|ALERT_[A-Z_]+)$/u;

const kept = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(withoutEmpty(env)).filter(([name]) => !IGNORED.test(name)));

const signInHint = (env: Environment): string =>
  `  Sign in: press "Sign in with Google" and choose ${env.ADMIN_EMAILS} (the page is a simulated one, there is no password).`;

/** Every external system is simulated; settings of real systems are ignored. Bus, object store and database are configurable. */
export const demoProfile = (): LaunchProfile => ({
  check: (env) =>
    refuseWrongVariables(kept(env), ['dmca-worker'], {
      source: 'the environment',
      advice: 'Correct or unset them and start again; the demo needs none of them.',
    }),
  start: startSimulators,
  seeds: true,
  welcome: (address, env) =>
    [
      `Autoposter is running at ${address}`,
      signInHint(env),
      '  After the first start the first reel is posted within a minute. Nothing leaves this machine. Stop with Ctrl-C.',
    ].join('\n'),
  acceptsOtherPort: true,
});

/** The demo for people who change the code. */
export const developmentProfile = (): LaunchProfile => ({
  ...demoProfile(),
  welcome: (address, env, { services, console }) => {
    const names = services.length === SERVICES.length ? 'Autoposter' : [...services, ...(console ? ['console'] : [])].join(', ');
    const isServed = console || services.includes('gateway');
    const debuggers = services.map((name) => `${name} ${INSPECT_PORTS[name]}`).join(', ');
    return [
      `Running for development: ${names}${isServed ? ` at ${address}` : ''}`,
      ...(console && services.includes('gateway') ? [signInHint(env)] : []),
      ...(isServed && !console ? ['  The gateway answers its API; "npm run dev -- gateway console" adds the console.'] : []),
      ...(console ? ['  The console reloads when its sources change.'] : []),
      ...(debuggers === '' ? [] : [`  A service restarts when its sources change. Ports for debuggers: ${debuggers}.`]),
      '  Stop with Ctrl-C.',
    ].join('\n');
  },
});

async function startSimulators(context: ProfileContext): Promise<ExternalSystems> {
  const { root, dataDir, env, ports, group } = context;
  const program = nodeProcess(root, { name: 'simulators', place: 'tools/simulators', env });
  const settings = {
    'data-dir': path.join(dataDir, 'simulators'),
    ffmpeg: env.FFMPEG_PATH,
    ffprobe: env.FFPROBE_PATH,
    'port-base': ports.simulators,
    'redirect-uri': `http://127.0.0.1:${ports.public}/api/auth/google/callback`,
    // for the browser tests
    'longest-video': env.SIMULATED_LONGEST_VIDEO,
    'posts-of-kind': env.SIMULATED_POSTS_OF_KIND,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => (value ? [`--${name}`, String(value)] : []));
  const simulators = group.start(RANK.external, { ...program, args: [...program.args, ...args], graceMs: 5_000 });
  const { urls, credentials, controlUrl } = await whenReady(simulators);
  return {
    addresses: { ...urls, control: controlUrl },
    env: {
      ...urls,
      ...credentials,
      NODE_ENV: 'development',
      DOWNLOAD_EXTRA_ORIGINS: urls.MEDIA_ORIGIN,
      JWT_SECRET: storedSecret(path.join(runFolder(dataDir), 'jwt-secret')),
      SCHEDULERS_START: 'true',
      CONTAINER_POLL_SECONDS: env.CONTAINER_POLL_SECONDS || '2',
      // the simulated Instagram fetches media over HTTP, as the real one does, but only from this machine
      CDN_BASE_URL: `http://127.0.0.1:${ports.gateway}`,
      ALERT_WEBHOOK_URL: '',
      ALERT_SLACK_URL: '',
      ALERT_SMTP_URL: '',
      OIDC_ISSUER_URL: '',
    },
  };
}

const whenReady = (simulators: SupervisedProcess): Promise<Ready> =>
  simulators.becomesReady(
    () =>
      new Promise((resolve) => {
        simulators.onLine = (line) => {
          const ready = parseReady(line);
          if (ready === null) return;
          simulators.onLine = null;
          resolve(ready);
        };
      }),
  );

function parseReady(line: string): Ready | null {
  try {
    return readySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** Kept across starts, so that sessions survive a restart. */
function storedSecret(file: string): string {
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(36).toString('base64url'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8');
}
