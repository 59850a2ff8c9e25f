import { randomBytes } from 'node:crypto';
import { Refusal, json } from '../server/answer';
import { GRAPH_ERRORS, type GraphErrorName, type GraphErrorRow } from './graph-errors';

export type Language = 'en' | 'es';

/** The envelope of an error, thrown so that any rule can end the call. `{name}` in the texts is filled from `details`. */
export function graphRefusal(name: GraphErrorName, details: Record<string, string> = {}, language: Language = 'en'): Refusal {
  const row: GraphErrorRow = GRAPH_ERRORS[name];
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, key: string) => details[key] ?? whole);
  const message = fill(row.message);
  const error = {
    message,
    type: row.type ?? 'OAuthException',
    code: row.code,
    ...(row.subcode === undefined ? {} : { error_subcode: row.subcode, is_transient: row.transient ?? false }),
    ...(row.title ? { error_user_title: row.title[language] } : {}),
    ...(row.text ? { error_user_msg: fill(row.text[language]) } : {}),
    fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
  };
  const headers: Record<string, string> =
    row.code === 190 ? { 'www-authenticate': `OAuth "Facebook Platform" "invalid_token" "${message}"` } : {};
  return new Refusal(json(row.status ?? 400, { error }, headers));
}
