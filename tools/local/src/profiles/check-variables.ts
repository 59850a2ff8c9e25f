import { ConfigError, loadConfig, type Service, type WrongVariable } from '@autoposter/config';
import { CommandError } from '../../prepare/command-line.mjs';
import type { Environment } from '../launcher/options';

/** Placeholder for the embedded database, whose address is known only when it has started. */
export const EMBEDDED_DATABASE_URL = 'postgresql://autoposter@127.0.0.1:5432/autoposter';

/** An empty line in `.env` means "not set". */
export const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

/** Reports everything that is missing or wrong for any of these services together, each variable once. */
export function refuseWrongVariables(env: Environment, services: readonly Service[], texts: { source: string; advice: string }): void {
  const wrong = wrongVariables(env, services);
  if (wrong.length === 0) return;
  const lines = wrong.map(
    ({ name, problem, meaning, source }) => `  ${name} ${problem}. ${meaning}${source ? ` Get it from: ${source}.` : ''}`,
  );
  const head = `Nothing was started, because ${wrong.length} of the variables in ${texts.source} ${wrong.length === 1 ? 'is' : 'are'} missing or wrong:`;
  throw new CommandError([head, ...lines, texts.advice].join('\n'));
}

function wrongVariables(env: Environment, services: readonly Service[]): WrongVariable[] {
  const found = new Map<string, WrongVariable>();
  for (const service of services) {
    try {
      loadConfig(service, { ...env, DATABASE_URL: env.DATABASE_URL || EMBEDDED_DATABASE_URL });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const wrong of error.wrong) found.set(wrong.name, wrong);
    }
  }
  return [...found.values()];
}
