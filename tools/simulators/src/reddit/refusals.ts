import { html, json, redirect, type Answer } from '../server/answer';
import type { Community } from './post-seed';

/** The error bodies of the API. */
export function refuse(status: number, message: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Answer {
  return json(status, { ...more, message, error: status }, headers);
}

export const unauthorized = (): Answer =>
  refuse(401, 'Unauthorized', {}, { 'www-authenticate': 'Bearer realm="reddit", error="invalid_token"' });

export const notFound = (): Answer => refuse(404, 'Not Found');

/** The page that Reddit's edge shows to clients it does not like. */
export const blocked = (): Answer =>
  html(
    403,
    '<!doctype html><html><head><title>Blocked</title></head><body><h1>whoa there, pardner!</h1><p>Your request has been blocked due to a network policy.</p></body></html>',
  );

export const tooManyJson = (): Answer => refuse(429, 'Too Many Requests');

/** An unknown community is sent to the search page. */
export const unknownCommunity = (origin: string, name: string): Answer =>
  redirect(302, `${origin}/subreddits/search?q=${encodeURIComponent(name)}`);

export function closedCommunity({ access }: Community): Answer | null {
  switch (access) {
    case 'public':
      return null;
    case 'banned':
      return refuse(404, 'Not Found', { reason: 'banned' });
    case 'quarantined': {
      const message = 'This community is quarantined.';
      return refuse(403, 'Forbidden', { reason: 'quarantined', quarantine_message: message, quarantine_message_html: `<p>${message}</p>` });
    }
    case 'gated': {
      const message = 'This community asks for a confirmation.';
      return refuse(403, 'Forbidden', {
        reason: 'gated',
        interstitial_warning_message: message,
        interstitial_warning_message_html: `<p>${message}</p>`,
      });
    }
    default:
      return refuse(403, 'Forbidden', { reason: access });
  }
}
