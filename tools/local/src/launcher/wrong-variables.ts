import { ConfigError, loadConfig, type Service, type WrongVariable } from '@autoposter/config';
import { PlainStop } from '../plain-stop';
import type { Environment } from './options';

/** Stands for the database that the launcher starts itself, so that only what a person must give is asked for. */
export const OWN_DATABASE = 'postgresql://autoposter@127.0.0.1:5432/autoposter';

/** An empty line in `.env` means "not set". */
export const filled = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

/** Names everything that is missing or wrong for any of these services at once, each variable once. */
export function refuseWrong(env: Environment, services: readonly Service[], words: { of: string; advice: string }): void {
  const wrong = wrongVariables(env, services);
  if (wrong.length === 0) return;
  const lines = wrong.map(
    ({ name, problem, meaning, source }) => `  ${name} ${problem}. ${meaning}${source ? ` Get it from: ${source}.` : ''}`,
  );
  const head = `Nothing was started, because ${wrong.length} of the variables in ${words.of} ${wrong.length === 1 ? 'is' : 'are'} missing or wrong:`;
  throw new PlainStop([head, ...lines, words.advice].join('\n'));
}

function wrongVariables(env: Environment, services: readonly Service[]): WrongVariable[] {
  const found = new Map<string, WrongVariable>();
  for (const service of services) {
    try {
      loadConfig(service, { ...env, DATABASE_URL: env.DATABASE_URL || OWN_DATABASE });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const wrong of error.wrong) found.set(wrong.name, wrong);
    }
  }
  return [...found.values()];
}
