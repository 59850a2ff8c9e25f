import { failureOf, objectIn, PipelineError, type AiProvider } from '@autoposter/domain';
import { exchange, withoutSlash } from '@autoposter/resilience';
import { at, readRefusal, type ModelSettings, type ProviderRefusal } from './model-call';

/** Whether the configured model can be used; `message` is one sentence for the settings page. */
export interface ModelCheck {
  available: boolean;
  message: string;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LIST_PAGES = 10;

type Explain = (refusal: ProviderRefusal) => PipelineError;

/** Searches the list of models that the key may use. Throws `PipelineError` without a list. */
export async function checkGeminiModel(settings: ModelSettings, explain: Explain): Promise<ModelCheck> {
  const origin = withoutSlash(settings.apiUrl);
  let pageToken = '';
  for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
    const query = new URLSearchParams({ pageSize: '1000', ...(pageToken === '' ? {} : { pageToken }) }).toString();
    const list = await getJson('gemini', settings, `${origin}/v1beta/models?${query}`, { 'x-goog-api-key': settings.apiKey }, explain);
    const models = Array.isArray(list['models']) ? list['models'].map(objectIn) : [];
    if (models.some((model) => model['name'] === `models/${settings.model}`)) return found(settings.model);
    pageToken = typeof list['nextPageToken'] === 'string' ? list['nextPageToken'] : '';
    if (pageToken === '') break;
  }
  return missing('Gemini', settings.model, 'GEMINI_MODEL');
}

/** The same for Groq. A model that is listed but inactive counts as missing. */
export async function checkGroqModel(settings: ModelSettings, explain: Explain): Promise<ModelCheck> {
  const url = `${withoutSlash(settings.apiUrl)}/openai/v1/models`;
  const list = await getJson('groq', settings, url, { authorization: `Bearer ${settings.apiKey}` }, explain);
  const models = Array.isArray(list['data']) ? list['data'].map(objectIn) : [];
  const usable = models.some((model) => model['id'] === settings.model && model['active'] !== false);
  return usable ? found(settings.model) : missing('Groq', settings.model, 'GROQ_MODEL');
}

const found = (model: string): ModelCheck => ({ available: true, message: `The model ${model} is available.` });

const missing = (provider: string, model: string, variable: string): ModelCheck => ({
  available: false,
  message: `${provider} does not list the model ${model}; set ${variable} to one that it lists.`,
});

async function getJson(
  side: AiProvider,
  settings: ModelSettings,
  url: string,
  headers: Record<string, string>,
  explain: Explain,
): Promise<Record<string, unknown>> {
  const limits = { timeoutMs: settings.timeoutMs ?? TIMEOUT_MS, maxBytes: MAX_BYTES };
  const unreachable = (_problem: unknown, cause: unknown) => new PipelineError(failureOf('model_unreachable', at(side)), { cause });
  const answer = await exchange(settings.fetch ?? fetch, { url, method: 'GET', headers }, limits, unreachable);
  if (answer.status < 200 || answer.status > 299)
    throw explain(readRefusal(answer.status, Object.fromEntries(answer.headers), answer.json));
  if (answer.json === undefined) throw PipelineError.of('model_list_unreadable', at(side));
  return objectIn(answer.json);
}
