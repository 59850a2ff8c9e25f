import type { ModelCheck } from '@autoposter/llm';
import type { AiTools } from './ai.tools';

export interface ModelFinding extends ModelCheck {
  model: string;
}

type Checked = Pick<AiTools, 'vision' | 'captions'>;
type Looks = Pick<AiTools['budget'], 'look'>;

/**
 * Whether the models that are configured can be used, so that a wrong name is known before the first post fails at it. The offline model
 * needs nothing. Throws `PipelineError` where a provider cannot be asked; what the others answered stays in `known` for the next try.
 */
export async function checkModels(
  { vision, captions, budget }: Checked & { budget: Looks },
  known = new Map<string, ModelFinding>(),
): Promise<ModelFinding[]> {
  const models = vision.name === captions.name ? [vision] : [vision, captions];
  const looks = await Promise.allSettled(
    models.map(async (model) => {
      const found = known.get(model.name) ?? { model: model.name, ...(await finding(model, budget)) };
      known.set(model.name, found);
      return found;
    }),
  );
  const findings = looks.map((look) => {
    if (look.status === 'rejected') throw look.reason;
    return look.value;
  });
  known.clear();
  return findings;
}

const finding = (model: Checked['vision'] | Checked['captions'], budget: Looks): Promise<ModelCheck> =>
  'check' in model
    ? budget.look(model.provider, () => (model as { check(): Promise<ModelCheck> }).check())
    : Promise.resolve({ available: true, message: 'Captions are made by rule.' });
