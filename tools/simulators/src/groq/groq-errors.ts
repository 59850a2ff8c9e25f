import { json, type Answer } from '../server/answer';
import { durationText, type RateStop } from './rate-book';

export function groqError(
  status: number,
  message: string,
  type = 'invalid_request_error',
  code?: string,
  more: Record<string, unknown> = {},
): Answer {
  return json(status, { error: { message, type, ...(code ? { code } : {}), ...more } });
}

export const wrongKey = (): Answer => groqError(401, 'Invalid API Key', 'invalid_request_error', 'invalid_api_key');

export const unknownModel = (model: string): Answer =>
  groqError(404, `The model \`${model}\` does not exist or you do not have access to it.`, 'invalid_request_error', 'model_not_found');

export const decommissioned = (model: string): Answer =>
  groqError(
    400,
    `The model \`${model}\` has been decommissioned and is no longer supported. Please refer to https://console.groq.com/docs/deprecations for a recommendation on which model to use instead.`,
    'invalid_request_error',
    'model_decommissioned',
  );

/** One request that no minute could hold is too large, everything else comes again after a wait. */
export function rateStopped(model: string, stop: RateStop): Answer {
  const place = `model \`${model}\` in organization \`org_simulated\` service tier \`on_demand\` on ${stop.window}`;
  if (stop.kind === 'tokens' && stop.requested > stop.limit) {
    return groqError(
      413,
      `Request too large for ${place}: Limit ${stop.limit}, Requested ${stop.requested}, please reduce your message size and try again. Visit https://console.groq.com/docs/rate-limits for more information.`,
      'tokens',
      'rate_limit_exceeded',
    );
  }
  const answer = groqError(
    429,
    `Rate limit reached for ${place}: Limit ${stop.limit}, Used ${stop.used}, Requested ${stop.requested}. Please try again in ${durationText(stop.waitSeconds)}. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
    stop.kind,
    'rate_limit_exceeded',
  );
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(Math.ceil(stop.waitSeconds)) } };
}
