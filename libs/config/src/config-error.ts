export interface WrongVariable {
  name: string;
  /** What is wrong with it, without its value. */
  problem: string;
  meaning: string;
  source?: string;
}

/** Names every wrong or missing variable at once. Values never appear in it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly wrong: readonly WrongVariable[]) {
    super(`The configuration is not complete:\n${wrong.map(describe).join('\n')}`);
  }
}

const describe = ({ name, problem, meaning, source }: WrongVariable): string =>
  `  ${name} ${problem}. ${meaning}${source ? ` Where to get it: ${source}.` : ''}`;
