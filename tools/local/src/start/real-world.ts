import { loadConfig, SERVICES } from '@autoposter/config';
import type { World } from '../launcher/bring-up';
import type { Environment } from '../launcher/options';
import { filled, OWN_DATABASE, refuseWrong } from '../launcher/wrong-variables';

const PRODUCTION = { NODE_ENV: 'production' };

/** The product against the real systems. What is optional and absent is told as "not configured"; the rest must be right before anything starts. */
export const realWorld = (): World => ({
  check(env) {
    refuseWrong({ ...PRODUCTION, ...filled(env) }, SERVICES, {
      of: '.env',
      advice: 'Copy .env.example to .env if there is none yet, fill these in and start again; npm run demo needs none of them.',
    });
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

function notConfigured(env: Environment): string[] {
  const config = loadConfig('gateway', { ...env, DATABASE_URL: env.DATABASE_URL || OWN_DATABASE });
  const systems = { Reddit: config.reddit, Instagram: config.instagram, Gemini: config.gemini, Groq: config.groq };
  return Object.entries(systems).flatMap(([name, system]) => (system.configured ? [] : [`${name} (${system.missing.join(', ')})`]));
}
