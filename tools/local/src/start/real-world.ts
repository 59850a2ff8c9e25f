import { ConfigError, loadConfig, SERVICES, type WrongVariable } from '@autoposter/config';
import type { World } from '../launcher/bring-up';
import type { Environment } from '../launcher/options';
import { PlainStop } from '../plain-stop';

/** Stands for the database that the launcher starts itself, so that only what a person must give is asked for. */
const OWN_DATABASE = 'postgresql://autoposter@127.0.0.1:5432/autoposter';

const PRODUCTION = { NODE_ENV: 'production' };

/** The product against the real systems. What is optional and absent is told as "not configured"; the rest must be right before anything starts. */
export const realWorld = (): World => ({
  check(env) {
    const wrong = wrongVariables({ ...PRODUCTION, ...filled(env) });
    if (wrong.length > 0) throw new PlainStop(explain(wrong));
  },
  start: async ({ env }) => ({ env: { ...PRODUCTION, ...filled(env) }, addresses: {} }),
  seeds: false,
  welcome(address, env) {
    const absent = notConfigured(env);
    return [
      `Autoposter is running at ${address}`,
      '  Sign in with Google as one of ADMIN_EMAILS. Nothing is collected or published until you start the schedulers there.',
      ...(absent.length > 0 ? [`  Not configured, and shown so: ${absent.join('; ')}.`] : []),
      '  Stop with Ctrl-C.',
    ].join('\n');
  },
  mayMove: false,
});

/** Everything that is wrong for any of the services, each variable once. */
export function wrongVariables(env: Environment): WrongVariable[] {
  const found = new Map<string, WrongVariable>();
  for (const service of SERVICES) {
    try {
      loadConfig(service, { ...env, DATABASE_URL: env.DATABASE_URL || OWN_DATABASE });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const wrong of error.wrong) found.set(wrong.name, wrong);
    }
  }
  return [...found.values()];
}

function explain(wrong: readonly WrongVariable[]): string {
  const lines = wrong.map(
    ({ name, problem, meaning, source }) => `  ${name} ${problem}. ${meaning}${source ? ` Get it from: ${source}.` : ''}`,
  );
  const head = `Nothing was started, because ${wrong.length} of the variables in .env are missing or wrong:`;
  return [
    head,
    ...lines,
    'Copy .env.example to .env if there is none yet, fill these in and start again; npm run demo needs none of them.',
  ].join('\n');
}

function notConfigured(env: Environment): string[] {
  const config = loadConfig('gateway', { ...env, DATABASE_URL: env.DATABASE_URL || OWN_DATABASE });
  const systems = { Reddit: config.reddit, Instagram: config.instagram, Gemini: config.gemini, Groq: config.groq };
  return Object.entries(systems).flatMap(([name, system]) => (system.configured ? [] : [`${name} (${system.missing.join(', ')})`]));
}

/** An empty line in `.env` means "not set". */
const filled = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
