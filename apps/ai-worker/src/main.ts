import { bindStage, reportDaily, runWorker } from '@autoposter/job-engine';
import { aiStage } from './ai/ai.stage';
import { aiTools, checkModels, type ModelFinding } from './ai.tools';

void runWorker('ai-worker', (systems, signal) => {
  const tools = aiTools(systems);
  const known = new Map<string, ModelFinding>();
  reportDaily(
    systems,
    'ai-models',
    async () => {
      await tools.budget.configure();
      return checkModels(tools, known);
    },
    signal,
  );
  return [bindStage(aiStage, tools)];
});
