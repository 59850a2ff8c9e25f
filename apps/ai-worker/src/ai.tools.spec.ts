import { loadConfig } from '@autoposter/config';
import { PipelineError } from '@autoposter/domain';
import { GeminiCombined, GroqCaptions, OfflineCaptions, OfflineVision } from '@autoposter/llm';
import { MediaTools } from '@autoposter/media-tools';
import { aiTools, checkModels, type ModelFinding } from './ai.tools';

jest.mock('@autoposter/media-tools');

const budget = { look: <T>(_provider: unknown, run: () => Promise<T>) => run() };
const model = (name: string, check: () => Promise<unknown>) => ({ name, check }) as never;

describe('checkModels', () => {
  it('asks each provider once for the configured models', async () => {
    let asked = 0;
    const gemini = model('gemini', () => Promise.resolve({ available: true, message: `fine ${(asked += 1)}` }));
    expect(await checkModels({ vision: gemini, captions: gemini, budget })).toEqual([
      { model: 'gemini', available: true, message: 'fine 1' },
    ]);
    const groq = model('groq', () => Promise.resolve({ available: false, message: 'Groq does not list it.' }));
    expect((await checkModels({ vision: gemini, captions: groq, budget })).map(({ model: name, available }) => [name, available])).toEqual([
      ['gemini', true],
      ['groq', false],
    ]);
  });

  it('has nothing to ask where captions are made by rule', async () => {
    expect(await checkModels({ vision: new OfflineVision(), captions: new OfflineCaptions(), budget })).toMatchObject([
      { model: 'offline', available: true },
    ]);
  });

  it('reports nothing about a model whose provider does not answer', async () => {
    const away = new PipelineError({
      code: 'groq_failed',
      kind: 'transient',
      message: 'Groq could not be reached.',
      side: 'groq',
      nextAction: 'Wait.',
    });
    const groq = model('groq', () => Promise.reject(away));
    await expect(checkModels({ vision: new OfflineVision(), captions: groq, budget })).rejects.toBe(away);
  });

  it('does not repeat a successful request because the other provider failed', async () => {
    const asked: string[] = [];
    const gemini = model('gemini', () => Promise.resolve({ available: true, message: `fine ${asked.push('gemini')}` }));
    const away = new PipelineError({
      code: 'groq_key_rejected',
      kind: 'not_authorised',
      message: 'Groq says no.',
      side: 'groq',
      nextAction: 'Wait.',
    });
    let answers = false;
    const groq = model('groq', () => (answers ? Promise.resolve({ available: true, message: 'fine' }) : Promise.reject(away)));
    const known = new Map<string, ModelFinding>();
    for (let round = 0; round < 3; round += 1)
      await expect(checkModels({ vision: gemini, captions: groq, budget }, known)).rejects.toBe(away);
    answers = true;
    expect(await checkModels({ vision: gemini, captions: groq, budget }, known)).toHaveLength(2);
    expect(asked).toEqual(['gemini']);
  });
});

describe('aiTools', () => {
  const toolsOf = (environment: Record<string, string>) => {
    const config = loadConfig('ai-worker', { DATABASE_URL: 'postgresql://user@db.example/autoposter', ...environment });
    return aiTools({ config, database: {}, objects: {}, logger: {} } as never);
  };

  it('describes and writes in one request with Gemini alone, in two with Groq, and in none without a provider', () => {
    const [gemini, groq] = [{ GEMINI_API_KEY: 'a key' }, { GROQ_API_KEY: 'a key' }];
    expect(toolsOf(gemini).combined).toBeInstanceOf(GeminiCombined);
    expect(toolsOf({ ...gemini, ...groq })).toMatchObject({ combined: null, captions: expect.any(GroqCaptions) });
    expect(toolsOf({})).toMatchObject({ combined: null, vision: expect.any(OfflineVision), captions: expect.any(OfflineCaptions) });
  });

  it.each([
    [{}, 1],
    [{ STAGE_SLOTS: '3' }, 3],
  ])('divides the memory of the decoders by the slots: %j', (environment, concurrency) => {
    toolsOf(environment);
    expect(MediaTools).toHaveBeenLastCalledWith(expect.objectContaining({ concurrency }));
  });
});
