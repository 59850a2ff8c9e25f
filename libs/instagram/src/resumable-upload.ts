import { objectIn, PipelineError, cutText } from '@autoposter/domain';
import { exchange } from './exchange';
import { withoutTokens } from './graph-error';

export interface UploadTarget {
  /** Origin of the upload host, without version. */
  uploadUrl: string;
  apiVersion: string;
  accessToken: string;
  containerId: string;
}

/** Slowest line that an upload is given time for. */
const BYTES_PER_SECOND = 128 * 1024;

/**
 * Sends the bytes of a resumable container in one piece. Throws `transient` where the connection broke or the answer says that another
 * try may help, else `upstream_rejected`. The platform's reason is JSON inside a string (`debug_info.message`).
 */
export async function uploadBytes(
  fetchFn: typeof fetch,
  target: UploadTarget,
  upload: { bytes: number; open: () => Promise<AsyncIterable<Uint8Array>> },
): Promise<void> {
  const answer = await exchange(
    fetchFn,
    {
      url: `${target.uploadUrl.replace(/(?<!\/)\/+$/, '')}/ig-api-upload/${target.apiVersion}/${encodeURIComponent(target.containerId)}`,
      method: 'POST',
      headers: {
        authorization: `OAuth ${target.accessToken}`,
        offset: '0',
        file_size: String(upload.bytes),
        'content-type': 'application/octet-stream',
      },
      body: await upload.open(),
    },
    60_000 + (upload.bytes / BYTES_PER_SECOND) * 1000,
  );
  const body = objectIn(answer.json);
  if (answer.status >= 200 && answer.status < 300 && body['success'] === true) return;
  const info = objectIn(body['debug_info']);
  const passing = info['retriable'] === true || answer.status >= 500 || answer.status < 400;
  throw new PipelineError({
    kind: passing ? 'transient' : answer.status === 401 ? 'not_authorised' : 'upstream_rejected',
    message: 'Instagram did not take the upload.',
    side: 'instagram',
    nextAction: passing ? 'It is tried again by itself.' : 'Check the access token and look at the details of this failure.',
    detail: { status: answer.status, words: cutText(withoutTokens(String(info['message'] ?? '')), 300) },
  });
}
