export interface GroqModel {
  owner: string;
  context: number;
  output: number;
  /** Keeps to a schema exactly. */
  strict: boolean;
  vision: boolean;
  reasoning: boolean;
}

const gptOss: GroqModel = { owner: 'OpenAI', context: 131_072, output: 65_536, strict: true, vision: false, reasoning: true };
const open = (owner: string, more: Partial<GroqModel> = {}): GroqModel => ({
  owner,
  context: 131_072,
  output: 32_768,
  strict: false,
  vision: false,
  reasoning: false,
  ...more,
});

export const GROQ_MODELS: Readonly<Record<string, GroqModel>> = {
  'openai/gpt-oss-120b': gptOss,
  'openai/gpt-oss-20b': gptOss,
  'llama-3.1-8b-instant': open('Meta'),
  'qwen/qwen3.6-27b': open('Alibaba Cloud', { reasoning: true }),
  'qwen/qwen3-32b': open('Alibaba Cloud', { reasoning: true }),
  'meta-llama/llama-4-scout-17b-16e-instruct': open('Meta', { vision: true }),
  'meta-llama/llama-4-maverick-17b-128e-instruct': open('Meta', { vision: true }),
  'moonshotai/kimi-k2-instruct': open('Moonshot AI'),
};

export const DECOMMISSIONED: readonly string[] = ['llama-3.3-70b-versatile', 'llama3-70b-8192', 'mixtral-8x7b-32768', 'gemma2-9b-it'];
