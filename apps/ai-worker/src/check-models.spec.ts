import { PipelineError } from '@autoposter/domain';
import { OfflineCaptions, OfflineVision } from '@autoposter/llm';
import { checkModels } from './check-models';

const model = (name: string, check: () => Promise<unknown>) => ({ name, check }) as never;

describe('checkModels', () => {
  it('asks each provider once for what is configured', async () => {
    let asked = 0;
    const gemini = model('gemini', () => Promise.resolve({ available: true, message: `fine ${(asked += 1)}` }));
    expect(await checkModels({ vision: gemini, captions: gemini })).toEqual([{ model: 'gemini', available: true, message: 'fine 1' }]);
    const groq = model('groq', () => Promise.resolve({ available: false, message: 'Groq does not list it.' }));
    expect((await checkModels({ vision: gemini, captions: groq })).map(({ model: name, available }) => [name, available])).toEqual([
      ['gemini', true],
      ['groq', false],
    ]);
  });

  it('has nothing to ask where captions are made by rule', async () => {
    expect(await checkModels({ vision: new OfflineVision(), captions: new OfflineCaptions() })).toMatchObject([
      { model: 'offline', available: true },
    ]);
  });

  it('says nothing about a model whose provider does not answer', async () => {
    const away = new PipelineError({ kind: 'transient', message: 'Groq could not be reached.', side: 'groq', nextAction: 'Wait.' });
    const groq = model('groq', () => Promise.reject(away));
    await expect(checkModels({ vision: new OfflineVision(), captions: groq })).rejects.toBe(away);
  });
});
