import { PassThrough } from 'node:stream';
import { CommandError, confirm, messageOf } from './command-line.mjs';

describe('confirm', () => {
  const answered = async (typed: string): Promise<boolean> => {
    const terminal = { input: new PassThrough(), output: new PassThrough() };
    const answer = confirm('Install it now?', terminal);
    terminal.input.end(typed);
    return answer;
  };

  it.each(['\n', 'y\n', 'yes\n'])('reads %j as yes', async (typed) => expect(await answered(typed)).toBe(true));
  it.each(['n\n', 'No\n', ''])('reads %j as no', async (typed) => expect(await answered(typed)).toBe(false));
});

describe('messageOf', () => {
  const refused = (code: string, path?: string): Error => Object.assign(new Error(code), { code, syscall: 'mkdir', path });

  it('is the message of a command error', () => expect(messageOf(new CommandError('Do this.'))).toBe('Do this.'));

  it('names the path that the operating system refuses', () => {
    expect(messageOf(refused('EACCES', '/data/run'))).toBe(
      '/data/run cannot be used (mkdir, EACCES); this account may not use it: grant the permission, or choose another place.',
    );
    expect(messageOf(refused('ENOSPC'))).toMatch(/^A file cannot be used \(mkdir, ENOSPC\); the disk is full/);
  });

  it('is the stack of a defect', () => {
    expect(messageOf(new TypeError('x is not a function'))).toContain('command-line.spec');
    expect(messageOf(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toContain('command-line.spec');
  });
});
