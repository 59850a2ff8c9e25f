import { SignInProblem } from './sign-in-problem';

const TIMEOUT_MS = 10_000;

export interface ProviderAnswer {
  status: number;
  /** `null` where it is no JSON object. */
  body: Record<string, unknown> | null;
}

/** One call to where people sign in, within ten seconds and without following anybody elsewhere. */
export async function ask(url: string, init: RequestInit): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    return { status: response.status, body: body as Record<string, unknown> | null };
  } catch (cause) {
    throw new SignInProblem('google_unreachable', 'Google did not answer in time.', { cause });
  }
}
