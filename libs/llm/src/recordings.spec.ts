import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { geminiFailure } from './gemini-failures';
import { groqFailure } from './groq-failures';
import { readRefusal } from './model-call';

/** Real refusals of both providers, kept outside the project. Where they are absent the suite says so. */
const folder = path.resolve(__dirname, '../../../../shared/recordings');
const present = existsSync(folder);
if (!present) process.stdout.write(`recordings of Gemini and Groq skipped: ${folder} is not there\n`);

interface Recorded {
  case: string;
  http_status: number;
  body: unknown;
}
const NOW = Date.parse('2026-11-21T12:00:00Z');
const load = (name: string): Recorded[] => (present ? (JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Recorded[]) : []);

const EXPECTED: Readonly<Record<string, readonly [kind: string, waitSeconds: number | null]>> = {
  bare: ['rate_limited', 60],
  'three-violations-no-values': ['quota_exceeded', 20 * 3600],
  'help-only-paid-tier': ['rate_limited', 60],
  'per-day-old-id': ['quota_exceeded', 20 * 3600],
  'array-wrapped-with-errors-list': ['rate_limited', 60],
  'sdk-double-encoded': ['rate_limited', 60],
  '429-tpm-2024': ['rate_limited', 52],
  '429-tpm-dec-2024': ['rate_limited', 8],
  '429-tpd-2026-message': ['quota_exceeded', 579],
  '429-no-window-named': ['quota_exceeded', 109],
  '413-too-large-message': ['quota_exceeded', 3600],
};

(present ? describe : describe.skip)('recorded refusals', () => {
  const gemini = load('gemini/errors-429.json').map((entry) => ({ ...entry, explain: geminiFailure }));
  const groq = load('groq/errors-429-413.json').map((entry) => ({ ...entry, explain: groqFailure }));
  const all = [...gemini, ...groq];

  test('each has an expectation', () => expect(all.map((entry) => entry.case).sort()).toEqual(Object.keys(EXPECTED).sort()));

  test.each(all.map((entry) => [entry.case, entry] as const))('explains the recorded refusal %s', (name, entry) => {
    const { failure } = entry.explain(readRefusal(entry.http_status, {}, entry.body), NOW);
    const wait = failure.retryAfterSeconds === undefined ? null : Math.round(failure.retryAfterSeconds);
    expect([failure.kind, wait]).toEqual(EXPECTED[name]);
    expect(JSON.stringify(failure)).not.toMatch(/org_\w{8}/);
  });
});
