import { AI_ERROR_TEXT } from '../../text/dashboard.text';

export interface AiProblem {
  headline: string;
  message: string;
  solutions: readonly string[];
}

const QUOTA = /429|quota|Resource has been exhausted/iu;
const AUTHENTICATION = /401|authentication/iu;

/** What to tell about a failed AI run. `fallback` is the headline sentence where nothing more is known. */
export function describeAiError(text: string, fallback: string = AI_ERROR_TEXT.failed): AiProblem {
  if (QUOTA.test(text)) return { headline: AI_ERROR_TEXT.quotaHeadline, message: AI_ERROR_TEXT.quota, solutions: AI_ERROR_TEXT.solutions };
  if (AUTHENTICATION.test(text)) return { headline: AI_ERROR_TEXT.headline, message: AI_ERROR_TEXT.authentication, solutions: [] };
  const message = text === '' || text === fallback ? fallback : `${fallback}: ${text}`;
  return { headline: AI_ERROR_TEXT.headline, message, solutions: [] };
}
