import type { Variable } from './variable';
import { VARIABLES } from './variables';

/** The text of `.env.example`: each variable with its meaning, default and where to get it. */
export function envExample(): string {
  const blocks = Object.entries<Variable>(VARIABLES).map(([name, { meaning, defaultText, source, requiredBy }]) =>
    [
      `# ${meaning}${requiredBy ? ' Required.' : ''}`,
      ...(source ? [`# Where to get it: ${source}`] : []),
      `# Default: ${defaultText === '' ? 'none' : defaultText}`,
      requiredBy ? `${name}=` : `# ${name}=${defaultText}`,
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
}
