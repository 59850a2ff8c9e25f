import { loadConfig, SERVICES } from '@autoposter/config';
import type { LaunchProfile } from '../launcher/bring-up';
import type { Environment } from '../launcher/options';
import { EMBEDDED_DATABASE_URL, refuseWrongVariables, withoutEmpty } from './check-variables';

const PRODUCTION = { NODE_ENV: 'production' };

/** The product against the real systems. An optional system without settings is reported as "not configured"; every other setting must be right. */
export const realProfile = (): LaunchProfile => ({
  check(env) {
    refuseWrongVariables({ ...PRODUCTION, ...withoutEmpty(env) }, SERVICES, {
      source: '.env',
      advice: 'Copy .env.example to .env if there is none yet, fill these in and start again; npm run demo needs none of them.',
    });
  },
  start: async ({ env }) => ({ env: { ...PRODUCTION, ...withoutEmpty(env) }, addresses: {} }),
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
  acceptsOtherPort: false,
});

function notConfigured(env: Environment): string[] {
  const config = loadConfig('gateway', { ...env, DATABASE_URL: env.DATABASE_URL || EMBEDDED_DATABASE_URL });
  const systems = { Reddit: config.reddit, Instagram: config.instagram, Gemini: config.gemini, Groq: config.groq };
  return Object.entries(systems).flatMap(([name, system]) => (system.configured ? [] : [`${name} (${system.missing.join(', ')})`]));
}
