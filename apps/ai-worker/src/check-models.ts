import type { ModelCheck } from '@autoposter/llm';
import type { AiTools } from './ai.tools';

export interface ModelFinding extends ModelCheck {
  model: string;
}

type Checked = Pick<AiTools, 'vision' | 'captions'>;

/**
 * Whether the models that are configured can be used, so that a wrong name is known before the first post fails at it. The offline model
 * needs nothing. Throws `PipelineError` where a provider cannot be asked.
 */
export async function checkModels({ vision, captions }: Checked): Promise<ModelFinding[]> {
  const models = vision.name === captions.name ? [vision] : [vision, captions];
  return Promise.all(models.map(async (model) => ({ model: model.name, ...(await finding(model)) })));
}

const finding = (model: Checked['vision'] | Checked['captions']): Promise<ModelCheck> =>
  'check' in model
    ? (model as { check(): Promise<ModelCheck> }).check()
    : Promise.resolve({ available: true, message: 'Captions are made by rule.' });
