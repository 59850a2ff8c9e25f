import { PassThrough } from 'node:stream';
import { ask, PlainStop, sentenceOf } from './terminal.mjs';

describe('asking', () => {
  const answered = async (typed: string): Promise<boolean> => {
    const terminal = { input: new PassThrough(), output: new PassThrough() };
    const answer = ask('Install it now?', terminal);
    terminal.input.end(typed);
    return answer;
  };

  it.each(['\n', 'y\n', 'yes\n'])('takes %j for yes', async (typed) => expect(await answered(typed)).toBe(true));
  it.each(['n\n', 'No\n', ''])('takes %j for no', async (typed) => expect(await answered(typed)).toBe(false));
});

describe('what is told of an error', () => {
  const refused = (code: string, path?: string): Error => Object.assign(new Error(code), { code, syscall: 'mkdir', path });

  it('is the sentence of a plain stop', () => expect(sentenceOf(new PlainStop('Do this.'))).toBe('Do this.'));

  it('names the place that the machine refuses', () => {
    expect(sentenceOf(refused('EACCES', '/data/run'))).toBe(
      '/data/run cannot be used (mkdir, EACCES); this account may not use it: give it the rights, or choose another place.',
    );
    expect(sentenceOf(refused('ENOSPC'))).toMatch(/^A file cannot be used \(mkdir, ENOSPC\); the disk is full/);
  });

  it('is the stack of a mistake of ours', () => {
    expect(sentenceOf(new TypeError('x is not a function'))).toContain('terminal.spec');
    expect(sentenceOf(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toContain('terminal.spec');
  });
});
