import type { ArgumentsHost } from '@nestjs/common';
import { SignInError, SignInFilter } from './sign-in.filter';

interface Line {
  reason: string;
  causes: { code: string | null; excerpt: string | null }[];
}

function filterWith() {
  const lines: Line[] = [];
  const redirects: string[] = [];
  const entries: object[] = [];
  const logger = { warn: (facts: Line) => lines.push(facts), error: () => undefined };
  const database = { read: { audit: { record: (entry: object) => Promise.resolve(entries.push(entry)) } } };
  const filter = new SignInFilter({ publicUrl: 'https://x.example' } as never, database as never, logger as never);
  const http = { getResponse: () => ({ redirect: (_status: number, to: string) => redirects.push(to) }) };
  const refuse = (problem: SignInError) => filter.catch(problem, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return { lines, redirects, entries, refuse };
}

describe('SignInFilter', () => {
  it('logs a code and a short excerpt of what the query says', async () => {
    const { lines, refuse } = filterWith();
    const cause = Object.assign(new Error('eyJ-'.repeat(3_500)), { code: 'x'.repeat(9_000) });
    await refuse(new SignInError('sign_in_failed', 'The sign-in failed.', { cause }));
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines).length).toBeLessThan(700);
    expect(lines[0]?.causes[0]?.excerpt).toMatch(/^eyJ-eyJ-/u);
  });

  it('redirects a refusal whose cause has no message', async () => {
    const { lines, redirects, refuse } = filterWith();
    const cause = Object.assign(new Error(), { message: undefined, code: 'server_error' });
    await refuse(new SignInError('sign_in_failed', 'The sign-in failed.', { cause }));
    expect(lines[0]?.causes).toEqual([{ code: 'server_error', excerpt: null }]);
    expect(redirects).toHaveLength(1);
  });

  it('writes at most 20 lines of 740 refusals, and redirects each', async () => {
    const { lines, redirects, refuse } = filterWith();
    for (let n = 0; n < 740; n += 1) await refuse(new SignInError('sign_in_failed', 'The sign-in failed.'));
    expect([lines.length, redirects.length]).toEqual([20, 740]);
  });

  it('audits an account that was refused, and no answer that anybody can make up', async () => {
    const { entries, refuse } = filterWith();
    await refuse(new SignInError('sign_in_expired', 'Too late.'));
    await refuse(new SignInError('account_changed', 'Another one.', { email: 'a@example.com', subject: '43' }));
    expect(entries).toEqual([{ actor: 'a@example.com', action: 'auth.refused', detail: { reason: 'account_changed', account: '43' } }]);
  });
});
