import type { Answer } from '../server/answer';
import type { SimulatedClock } from '../server/clock';
import { header, type Route, type SimRequest } from '../server/sim-request';
import type { FileShelf } from './file-shelf';
import { geminiError, keyRefusal } from './gemini-errors';
import type { QuotaBook } from './quota-book';

export interface GeminiParts {
  key: string;
  quota: QuotaBook;
  files: FileShelf;
  clock: SimulatedClock;
}

/** Asks for the key before the call. */
export function keyed(parts: GeminiParts, handle: (request: SimRequest) => Answer | Promise<Answer>): Route['handle'] {
  return (request) => {
    if (header(request, 'authorization')) {
      return geminiError(
        401,
        'UNAUTHENTICATED',
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      );
    }
    const key = header(request, 'x-goog-api-key') ?? request.query.get('key');
    return key === parts.key ? handle(request) : keyRefusal(key || null);
  };
}
